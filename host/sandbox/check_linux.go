package sandbox

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// openConnection tries to reach a listener on the machine's loopback, where
// there is bash to do it with, and compares the network namespaces in any case:
// a connection within the machine's own namespace cannot be kept from anywhere.
func (b *bench) openConnection(ctx context.Context) (bool, string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return false, "not measured: no listener could be opened", nil
	}
	var reached atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			reached.Store(true)
			_ = conn.Close()
		}
	}()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	r, err := b.run(ctx, Limits{}, `readlink /proc/self/ns/net; command -v bash >/dev/null && bash -c 'exec 3<>"/dev/tcp/127.0.0.1/$1"; cat <&3' bash "$1"; true`, port)
	time.Sleep(10 * time.Millisecond)
	_ = listener.Close()
	<-done
	if err != nil {
		return false, "", err
	}
	own, err := os.Readlink("/proc/self/ns/net")
	inside := strings.TrimSpace(string(r.Stdout))
	switch {
	case reached.Load():
		return false, "a command opened a connection to the machine", nil
	case err != nil || inside == "":
		return false, "not measured: the network namespaces cannot be compared", nil
	case inside == own:
		return false, "a command runs in the machine's own network", nil
	}
	return true, "a command runs in a network of its own and reached no listener outside", nil
}

// readEnvironment looks for variables of this process in the command's.
func (b *bench) readEnvironment(ctx context.Context) (bool, string, error) {
	r, err := b.run(ctx, Limits{}, `tr '\000' '\n' </proc/self/environ`)
	if err != nil {
		return false, "", err
	}
	var leaked []string
	mine := make(map[string]bool)
	for _, pair := range os.Environ() {
		mine[pair] = true
	}
	for _, pair := range strings.Split(string(r.Stdout), "\n") {
		name, value, _ := strings.Cut(pair, "=")
		if mine[pair] && value != "" && !passedOn(name) && name != "HOME" && name != "TMPDIR" && name != "PWD" {
			leaked = append(leaked, name)
		}
	}
	if len(leaked) > 0 {
		return false, "a command saw " + strings.Join(leaked, ", "), nil
	}
	return true, "of this process's variables a command saw only allowed ones", nil
}

// orphan starts processes that leave their parents, session, group and
// environment behind, then looks for them on the machine. It starts several,
// because whether one is seen before it has left is a matter of milliseconds.
func (b *bench) orphan(ctx context.Context) (bool, string, error) {
	if _, err := exec.LookPath("setsid"); err != nil {
		return false, "not measured: there is no setsid to make an orphan with", nil
	}
	name := "plumb-orphan-" + rand.Text()
	const script = `n=0; while [ $n -lt 12 ]; do
( ( env -i setsid sh -c 'trap "" HUP; exec >/dev/null 2>&1 </dev/null; i=0; while [ $i -lt 200 ]; do sleep 0.1; i=$((i+1)); done' "$1" & ) & )
sleep 0.02; n=$((n+1)); done; echo begun`
	r, err := b.run(ctx, Limits{}, script, name)
	if err != nil {
		return false, "", err
	}
	left := named(name)
	for _, pid := range left {
		// This check started it, and its name is known to nobody else.
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			return false, "an orphan is left and could not be ended: " + strconv.Itoa(pid), nil
		}
	}
	switch {
	case len(left) > 0:
		return false, "a process that left its session was still there after the run; it was ended", nil
	case !strings.Contains(string(r.Stdout), "begun"):
		return false, "not measured: the orphans did not begin", nil
	}
	return true, "processes that left their parents and session were gone with the run", nil
}

// named returns the live processes that have the argument.
func named(arg string) []int {
	var found []int
	for _, t := range tasks() {
		line, err := os.ReadFile("/proc/" + strconv.Itoa(t.pid) + "/cmdline")
		if err == nil && !t.dead && strings.Contains("\x00"+string(line), "\x00"+arg+"\x00") {
			found = append(found, t.pid)
		}
	}
	return found
}
