package backoffice

import (
	"net/http"
	"strings"
	"testing"
)

func TestRefund(t *testing.T) {
	o := newOffice(t)
	w := o.send("POST", "/orders/o-1/refund", "frida", "k-1", "")
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"cents":4000`) {
		t.Fatalf("got %d %s", w.Code, w.Body)
	}
	w = o.send("POST", "/orders/o-1/refund", "frida", "k-1", "")
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"repeated":true`) {
		t.Errorf("repeated: got %d %s", w.Code, w.Body)
	}
	w = o.send("POST", "/orders/o-1/refund", "frida", "k-2", "")
	if w.Code != http.StatusConflict {
		t.Errorf("another key: got %d %s", w.Code, w.Body)
	}
}

func TestRefundRefusals(t *testing.T) {
	o := newOffice(t)
	for _, c := range []struct {
		path, token, key string
		want             int
	}{
		{"/orders/o-1/refund", "nobody", "k-1", http.StatusUnauthorized},
		{"/orders/o-1/refund", "wanda", "k-1", http.StatusForbidden},
		{"/orders/o-1/refund", "frida", "", http.StatusBadRequest},
		{"/orders/o-9/refund", "frida", "k-1", http.StatusNotFound},
	} {
		if w := o.send("POST", c.path, c.token, c.key, ""); w.Code != c.want {
			t.Errorf("%s as %s: got %d, want %d", c.path, c.token, w.Code, c.want)
		}
	}
}

func TestMenu(t *testing.T) {
	o := newOffice(t)
	w := o.send("POST", "/orders/o-2/menu/preview", "sami", "k-1", "")
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"cents":1500`) {
		t.Errorf("preview: got %d %s", w.Code, w.Body)
	}
	w = o.send("POST", "/orders/o-2/menu/refund", "frida", "k-1", "")
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"cents":1500`) {
		t.Errorf("refund: got %d %s", w.Code, w.Body)
	}
	if w := o.send("POST", "/orders/o-2/menu/burn", "frida", "k-1", ""); w.Code != http.StatusNotFound {
		t.Errorf("unknown entry: got %d", w.Code)
	}
}

func TestBatch(t *testing.T) {
	o := newOffice(t)
	w := o.send("POST", "/batch/refund", "frida", "k-1", `{"desk":"refunds","orders":["o-1","o-9","o-2"]}`)
	want := `[{"order":"o-1","cents":4000,"reference":`
	if w.Code != http.StatusOK || !strings.HasPrefix(w.Body.String(), want) {
		t.Fatalf("got %d %s", w.Code, w.Body)
	}
	if !strings.Contains(w.Body.String(), `{"order":"o-9","cents":0,"error":"order o-9: no such order"}`) {
		t.Errorf("the unknown order: %s", w.Body)
	}
	if !strings.Contains(w.Body.String(), `{"order":"o-2","cents":1500,"reference":`) {
		t.Errorf("the order after it: %s", w.Body)
	}
	w = o.send("POST", "/batch/refund", "frida", "k-2", `{"desk":"stock","orders":["o-1"]}`)
	if w.Code != http.StatusNotImplemented {
		t.Errorf("desk without refunds: got %d %s", w.Code, w.Body)
	}
	w = o.send("POST", "/batch/refund", "frida", "k-3", `{"desk":"refunds","orders":["1","2","3","4","5","6","7","8","9","10","11"]}`)
	if w.Code != http.StatusBadRequest {
		t.Errorf("too many: got %d %s", w.Code, w.Body)
	}
}
