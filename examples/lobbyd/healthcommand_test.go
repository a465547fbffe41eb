package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/programtest"
)

func TestHealthCommandPrintsTheAnswer(t *testing.T) {
	l := start(t, anywhere()...)
	starting := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "starting", http.StatusServiceUnavailable)
	}))
	defer starting.Close()
	whole := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.String() == "/readyz?cluster" {
			fmt.Fprintln(w, "whole")
		}
	}))
	defer whole.Close()
	for _, tt := range []struct {
		args string
		code int
		want string
	}{
		{"-url http://" + l.addr["web"], exitOK, "ok\n"},
		{"-ready -url http://" + l.addr["metrics"] + "/", exitOK, "ready\n"},
		{"-cluster -url http://" + l.addr["web"], exitOK, "ready\n"},
		{"-cluster -url " + whole.URL, exitOK, "whole\n"},
		{"-ready -url " + starting.URL, exitFailed, "lobbyd: lobbyd answers 503 Service Unavailable: starting\n"},
		{"-url http://" + programtest.UnusedAddr(t), exitFailed, "connection refused\n"},
		{"-url nowhere", exitFailed, "unsupported protocol scheme"},
	} {
		var said strings.Builder
		args := append([]string{"health"}, strings.Fields(tt.args)...)
		if code := run(t.Context(), args, nil, &said, &said); code != tt.code || !strings.Contains(said.String(), tt.want) {
			t.Errorf("%s: %d, %s", tt.args, code, said.String())
		}
	}
}
