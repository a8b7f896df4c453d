package python

// names interns the words of one file.
type names struct {
	ids   map[string]int32
	words []string
	used  []bool // by word: Facts.Names needs it
}

func (s *names) reset() {
	if s.ids == nil || len(s.ids) > 1<<14 {
		s.ids = make(map[string]int32, 1<<9)
	}
	clear(s.ids)
	s.words, s.used = nil, s.used[:0]
}

func (s *names) intern(b []byte) int32 {
	if id, ok := s.ids[string(b)]; ok {
		return id
	}
	return s.add(string(b))
}

func (s *names) internText(text string) int32 {
	if id, ok := s.ids[text]; ok {
		return id
	}
	return s.add(text)
}

func (s *names) add(text string) int32 {
	id := int32(len(s.words))
	s.ids[text] = id
	s.words = append(s.words, text)
	s.used = append(s.used, false)
	return id
}

// kept returns the words that are used, and each word's place among them.
func (s *names) kept() (list []string, place []int32) {
	place = make([]int32, len(s.words))
	for id, used := range s.used {
		if place[id] = -1; used {
			place[id] = int32(len(list))
			list = append(list, s.words[id])
		}
	}
	return list, place
}
