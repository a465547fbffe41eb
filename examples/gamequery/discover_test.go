package main

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// It runs alone, because a discovery takes each echo that comes to its port in five seconds.
func TestDiscoverFindsServers(t *testing.T) {
	addr, _ := background(t, "serve", "gamespy2", "127.0.0.1:0", "-name", "Found")
	silent, _ := background(t, "serve", "sqp", "127.0.0.1:0")
	var running sync.WaitGroup // each waits for others that may answer
	for _, tt := range []struct {
		args string
		code int
		out  string // matches standard output
		err  string // matches the beginning of standard error
	}{
		{addr + " " + silent, 0, `^` + addr + `\n$`, ""},
		{"-json " + addr, 0, `^{"schema":1,"protocol":"gamespy2","query":"` + addr + `"}\n$`, ""},
		{"-browse " + addr, 0, `\n` + addr + `  :\d+ .* Found\n$`, "answered 1, silent 0, lost 0, in "},
		{"-browse -json " + addr, 0, `^{"schema":1,"protocol":"gamespy2","address":"` + addr + `","query":"` + addr +
			`",.*,"rtt":.*}\n$`, "answered 1, silent 0, lost 0, in "},
		{silent, 1, `^$`, "gamequery: nobody answered: no answer in time; check the port"},
		{"-browse " + silent, 1, `^$`, `answered 0, .*\ngamequery: nobody answered: no answer in time; check the port`},
		{":7", 2, `^$`, `gamequery: target ":7": the host is missing`},
	} {
		running.Go(func() {
			inTime(t, func(timeout string) []string {
				args := append([]string{"discover", "gamespy2", "-timeout", timeout}, strings.Fields(tt.args)...)
				code, stdout, stderr := gamequery(nil, args...)
				if code != tt.code || !regexp.MustCompile(tt.out).MatchString(stdout) ||
					!regexp.MustCompile("^"+tt.err).MatchString(stderr) {
					return []string{fmt.Sprintf("%s: exit code %d, %q, %q", tt.args, code, stdout, stderr)}
				}
				return nil
			})
		})
	}
	running.Wait()
}
