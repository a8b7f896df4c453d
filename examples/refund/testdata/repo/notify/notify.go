// Package notify writes and sends the shop's mails.
package notify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"text/template"
	"time"
)

// Mail is one message.
type Mail struct {
	To, Subject, Body string
}

// Sender delivers mails.
type Sender interface {
	Send(ctx context.Context, m Mail) error
}

// ErrNoTemplate is returned for a message that does not exist.
var ErrNoTemplate = errors.New("no such message")

// Notifier fills in messages and sends them.
type Notifier struct {
	sender    Sender
	templates map[string]message
	tries     int
	wait      func(time.Duration)
}

type message struct {
	subject, body *template.Template
}

// New returns a notifier that tries each mail a number of times.
func New(sender Sender, tries int, wait func(time.Duration)) *Notifier {
	return &Notifier{sender: sender, templates: make(map[string]message), tries: tries, wait: wait}
}

// Define adds a message. Missing fields are errors when it is sent.
func (n *Notifier) Define(name, subject, body string) error {
	s, err := template.New(name + " subject").Option("missingkey=error").Parse(subject)
	if err != nil {
		return err
	}
	b, err := template.New(name).Option("missingkey=error").Parse(body)
	if err != nil {
		return err
	}
	n.templates[name] = message{subject: s, body: b}
	return nil
}

// Send fills in a message and sends it, with growing pauses between tries.
func (n *Notifier) Send(ctx context.Context, name, to string, fields map[string]string) error {
	m, ok := n.templates[name]
	if !ok {
		return fmt.Errorf("%s: %w", name, ErrNoTemplate)
	}
	mail := Mail{To: to}
	var err error
	if mail.Subject, err = fill(m.subject, fields); err != nil {
		return err
	}
	if mail.Body, err = fill(m.body, fields); err != nil {
		return err
	}
	pause := time.Second
	for try := 1; ; try++ {
		err = n.sender.Send(ctx, mail)
		if err == nil || try >= n.tries || ctx.Err() != nil {
			return err
		}
		n.wait(pause)
		pause *= 2
	}
}

func fill(t *template.Template, fields map[string]string) (string, error) {
	var b bytes.Buffer
	if err := t.Execute(&b, fields); err != nil {
		return "", err
	}
	return strings.TrimSpace(b.String()), nil
}
