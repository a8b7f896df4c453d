package index

// Manifests are the manifests that the language's family names, in order of path.
func (s *Snapshot) Manifests(l *Language) []Manifest {
	if linked := s.linked[familyKey(l)]; linked != nil {
		return linked.manifests
	}
	return nil
}
