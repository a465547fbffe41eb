package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// through returns a client whose connections all go to one address.
func through(network, addr string) *http.Client {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, addr)
	}
	return &http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}
}

// put reports a state with a client and a token, "" for none, and returns the status of
// the answer.
func put(t *testing.T, c *http.Client, url, token, body string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, url+"/v1/state", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

// A unix socket is private from its creation on, even if new files are not.
func TestUnixSocketIsNeverOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "game.sock")
	ended := make(chan struct{})
	open := make(chan os.FileMode, 1)
	go func() {
		defer close(open)
		for {
			select {
			case <-ended:
				return
			default:
			}
			if info, err := os.Lstat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
				open <- info.Mode()
				return
			}
		}
	}()
	for range 200 {
		l, err := listenHTTP(unixPrefix+path, true, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	close(ended)
	if mode, wasOpen := <-open; wasOpen && runtime.GOOS != "windows" {
		t.Errorf("the socket was %v", mode)
	}
}

// A game can report at a unix socket, which nobody else can open. Only one sidecar can
// use its path, and a socket that a killed sidecar has left is replaced.
func TestGameReportsAtAUnixSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "game.sock")
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false)
	left.Close()

	r := start(t, nil, "-state", unixPrefix+path)
	const url = "http://any.example" // the name in the URL does not matter
	if code := put(t, through("unix", path), url, "", `{"name":"Duel"}`); code != http.StatusNoContent {
		t.Errorf("status %d", code)
	}
	for protocol, v := range r.views(t) {
		if v.Name != "Duel" {
			t.Errorf("%s: the name is %q", protocol, v.Name)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); runtime.GOOS != "windows" && got != 0o600 {
		t.Errorf("the mode of the socket is %v", got)
	}
	if _, err := open(options{State: unixPrefix + path, SQP: free}, nil, io.Discard); err == nil {
		t.Error("a second sidecar listens at the same path")
	}
}

// ownAddress returns an address of this machine that is not on loopback. Traffic to it
// stays on the machine.
func ownAddress(t *testing.T) string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range all {
		prefix, ok := at.(*net.IPNet)
		if ok && prefix.IP.To4() != nil && !prefix.IP.IsLoopback() {
			return prefix.IP.String()
		}
	}
	t.Skip("this machine has only loopback")
	return ""
}

// A game that is not on loopback needs the token.
func TestAnotherMachineNeedsTheToken(t *testing.T) {
	const token = "a token of the tests"
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	host := ownAddress(t)
	r := start(t, nil, "-state", net.JoinHostPort(host, "0"), "-token-file", file)
	report := func(with, body string) int { return put(t, http.DefaultClient, r.url, with, body) }
	if code := report(token, `{"name":"right"}`); code != http.StatusNoContent {
		t.Errorf("with the token: status %d", code)
	}
	for _, wrong := range []string{"", "another token", token + "x", token[1:], strings.ToUpper(token)} {
		if code := report(wrong, `{"name":"wrong"}`); code != http.StatusUnauthorized {
			t.Errorf("with %q: status %d", wrong, code)
		}
	}
	if !r.isNamed("right")() {
		t.Errorf("the name is %q", r.state.Now().View.Name)
	}
}
