package ecmascript

// names interns the words of one file.
type names struct {
	src   []byte
	ids   map[string]int32
	words []word
	bound []binding // by word; see scope.go
}

type word struct {
	text  string
	place int32 // in Facts.Names once it is kept, else -1
}

func (s *names) reset(src []byte) {
	s.src = src
	s.words, s.bound = s.words[:0], s.bound[:0]
	if s.ids == nil {
		s.ids = make(map[string]int32, 512)
	}
	clear(s.ids)
}

// intern returns the id of a word.
func (s *names) intern(text []byte) int32 {
	if id, ok := s.ids[string(text)]; ok {
		return id
	}
	return s.addWord(string(text))
}

func (s *names) internText(text string) int32 {
	if id, ok := s.ids[text]; ok {
		return id
	}
	return s.addWord(text)
}

func (s *names) addWord(text string) int32 {
	id := int32(len(s.words))
	s.words = append(s.words, word{text: text, place: -1})
	s.bound = append(s.bound, binding{})
	s.ids[text] = id
	return id
}

func (s *names) text(id int32) string { return s.words[id].text }
