package ecmascript

// readMarks records the marks of the file: it runs once all definitions,
// references and roles are known.
func (x *extractor) readMarks() {}
