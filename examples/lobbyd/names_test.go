//go:build linux

package main

import (
	"fmt"
	"testing"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
)

// Two addresses that register the name of honest servers a hundred times hide only some
// of their own.
func TestNamesAreNotTaken(t *testing.T) {
	t.Parallel()
	l := start(t, anywhere()...)
	register := func(addr string, port int) {
		r := &bombermannet.Registrar{Addr: l.addr["bomberman"], Dial: dialFrom(addr).DialContext}
		err := r.Set(bomberman.Server{
			Name: "Bomberman", Address: addr, Port: port, IsLobbyOpen: true,
			Players: bomberman.PlayerCount{Max: 4}, GameplayMode: bomberman.GameplayModeStandardA,
		})
		if err != nil {
			t.Fatal(err)
		}
		inBackground(t, func() { r.Run(t.Context()) })
		t.Cleanup(func() { r.Close() })
	}
	const honest, hostile = 6, 50
	for i := range honest {
		register(fmt.Sprintf("127.0.%d.1", i), 5000)
	}
	for i := range hostile {
		register("127.0.100.2", 5000+i)
		register("127.0.101.2", 5000+i)
	}
	eventually(t, func() string {
		const want = 2 * (hostile - 16)
		if got := l.metric(t, `lobbyd_withheld{family="bomberman"}`); got != fmt.Sprint(want) {
			return got + " servers are hidden"
		}
		return ""
	})
	c := bombermannet.Client{ListEvery: always}
	list, err := c.List(t.Context(), l.addr["bomberman"])
	if err != nil {
		t.Fatal(err)
	}
	listed := make(map[string]int)
	for _, s := range list.Servers {
		listed[s.Address]++
	}
	for i := range honest {
		if addr := fmt.Sprintf("127.0.%d.1", i); listed[addr] != 1 {
			t.Errorf("%s is listed %d times", addr, listed[addr])
		}
	}
}
