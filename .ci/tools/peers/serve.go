package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"

	"github.com/Unity-Technologies/unity-gaming-services-go-sdk/game-server-hosting/server/proto"
	unity "github.com/Unity-Technologies/unity-gaming-services-go-sdk/game-server-hosting/server/proto/sqp"
	"github.com/multiplay/go-svrquery/lib/svrsample"
	"github.com/multiplay/go-svrquery/lib/svrsample/common"
)

// A state is the state of a server.
type state struct {
	Name, Map              []byte
	NumPlayers, MaxPlayers int32
	Metrics                []float32
}

// A responder answers a datagram.
type responder interface {
	Respond(client string, req []byte) ([]byte, error)
}

// servers are the packages by their names.
var servers = map[string]func(s state) (responder, error){
	"go-svrquery": func(s state) (responder, error) {
		return svrsample.GetResponder("sqp", common.QueryState{
			CurrentPlayers: s.NumPlayers, MaxPlayers: s.MaxPlayers, ServerName: string(s.Name),
			GameType: "Fragmatch", Map: string(s.Map), Port: 7777, Metrics: s.Metrics,
		})
	},
	"unity-sdk": func(s state) (responder, error) {
		return unity.NewQueryResponder(&proto.QueryState{
			CurrentPlayers: s.NumPlayers, MaxPlayers: s.MaxPlayers, ServerName: string(s.Name),
			GameType: "Fragmatch", Map: string(s.Map), Port: 7777, Metrics: s.Metrics,
		})
	},
}

func serve(pkg string, in io.Reader, out io.Writer) error {
	start, ok := servers[pkg]
	if !ok {
		return fmt.Errorf("no server in package %q", pkg)
	}
	var s state
	dec := json.NewDecoder(in)
	if err := dec.Decode(&s); err != nil {
		return err
	}
	r, err := start(s)
	if err != nil {
		return err
	}
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return err
	}
	defer conn.Close()
	go answerAll(conn, r)
	fmt.Fprintln(out, conn.LocalAddr())
	_, err = io.Copy(io.Discard, in)
	return err
}

// answerAll answers as the command of go-svrquery does: each request in a buffer of
// its own with zeros after the request.
func answerAll(conn *net.UDPConn, r responder) {
	for {
		req := make([]byte, 16)
		_, from, err := conn.ReadFromUDPAddrPort(req)
		if err != nil {
			return
		}
		if b, err := r.Respond(from.String(), req); err == nil {
			conn.WriteToUDPAddrPort(b, from)
		}
	}
}
