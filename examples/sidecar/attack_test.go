package main

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"time"
)

// A game can report although a thousand connections are open, and a body of 10 MB is
// refused before it has arrived.
func TestGameReportsDespiteACrowd(t *testing.T) {
	r := start(t, nil)
	var first net.Conn
	for range 1000 {
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp", r.feed.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if first == nil {
			first = c
		}
		io.WriteString(c, "PUT /v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{")
	}
	if code, text := r.send(t, "PUT", "/v1/state", `{"name":"a"}`); code != http.StatusNoContent {
		t.Error(text)
	}
	first.SetReadDeadline(time.Now().Add(limit))
	if _, err := first.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the first of 1000 connections: %v, want its end", err)
	}

	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, r.url+"/v1/state",
		bytes.NewReader(make([]byte, 10<<20)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Expect", "100-continue")
	resp, err := (&http.Transport{ExpectContinueTimeout: limit}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("10 MB: %s", resp.Status)
	}
	if got := r.views(t)["sqp"].Name; got != "a" {
		t.Errorf("the name is now %q", got)
	}
}
