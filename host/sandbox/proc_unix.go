//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package sandbox

import "syscall"

// watches: this platform's processes are not looked at; only the wall time is kept.
const watches = false

func tasks() []task { return nil }

func marked(string) []int { return nil }

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
