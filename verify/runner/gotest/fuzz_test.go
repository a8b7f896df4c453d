package gotest

import (
	"testing"

	"github.com/plumbkit/plumb/verify"
)

// Whatever a test writes into the stream of events, nothing panics, and a test
// without an end of its own never passed.
//
// covers: REL-2, VER-7
func FuzzEvents(f *testing.F) {
	f.Add([]byte(`{"Action":"run","Package":"a","Test":"TestA"}` + "\n" + `{"Action":"pass","Package":"a","Test":"TestA","Elapsed":0.1}` + "\n"))
	f.Add([]byte(`{"Action":"run","Package":"a","Test":"TestA"}` + "\n" + `{"Action":"output","Package":"a","Test":"TestA","Output":"--- PASS: TestA (0.00s)\n"}` + "\n"))
	f.Add([]byte(`{"Action":"build-output","ImportPath":"a","Output":"x"}` + "\n" + `{"Action":"fail","Package":"a","FailedBuild":"a"}` + "\n"))
	f.Add([]byte("{\"Action\":\n{}\n\x00\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newStream(map[string]string{"a": "."})
		s.read(data)
		ended := map[verify.TestID]bool{}
		for _, tt := range s.all {
			ended[tt.id] = ended[tt.id] || tt.action == "pass"
		}
		for _, o := range s.outcomes(false, "") {
			if o.Status == verify.Passed && !ended[o.Test] {
				t.Fatalf("%v passed without an end", o.Test)
			}
		}
	})
}
