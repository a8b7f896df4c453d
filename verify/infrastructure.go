package verify

import "regexp"

// A lack is something of the machine that a test can miss, with the words by
// which programs say so.
type lack struct {
	what    string
	pattern string
	source  string // where the words come from
}

// lacks are the rules by which a red test counts as one of environment (VER-8).
// Words that a test can print about its own subject, such as "permission
// denied" or "not found", are left out.
func lacks() []lack {
	return []lack{
		{"the network cannot be reached", `(?i)network is unreachable|no route to host`, "strerror ENETUNREACH, EHOSTUNREACH"},
		{"no server answers", `(?i)connect(ion)?[: ]+(connection )?refused|ECONNREFUSED|ConnectionRefusedError`, "strerror ECONNREFUSED; Node's and Python's names for it"},
		{"names cannot be resolved", `(?i)no such host|temporary failure in name resolution|name or service not known|ENOTFOUND|EAI_AGAIN`, "Go's net.DNSError; gai_strerror; Node"},
		{"the database is not there", `(?i)SQLSTATE 08|could not connect to server|ServerSelectionTimeoutError|Can't connect to (local )?(MySQL|MariaDB) server`, "PostgreSQL class 08 and libpq; PyMongo; MySQL error 2002, 2003"},
		{"the container engine is not there", `(?i)cannot connect to the docker daemon|rootless docker not found`, "the docker client; testcontainers"},
		{"the disk is full", `(?i)no space left on device|ENOSPC|disk quota exceeded`, "strerror ENOSPC, EDQUOT"},
		{"the file system cannot be written", `(?i)read-only file system|EROFS`, "strerror EROFS"},
		{"the machine allows no more files or processes", `(?i)too many open files|resource temporarily unavailable`, "strerror EMFILE, EAGAIN"},
		{"there is not enough memory", `(?i)cannot allocate memory|ENOMEM`, "strerror ENOMEM"},
		{"a module is not in the cache and the network is off", `module lookup disabled by GOPROXY=off|cannot find module providing package .*: module lookup disabled`, "the go command"},
	}
}

// lacking returns what the output says the machine lacks, with the source of the
// rule, "" when it says nothing of that kind.
func lacking(output string) string {
	if output == "" {
		return ""
	}
	for _, l := range lacks() {
		if regexp.MustCompile(l.pattern).MatchString(output) {
			return l.what + " (words of " + l.source + ")"
		}
	}
	return ""
}
