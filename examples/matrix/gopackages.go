package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/lobbywire/lobbywire/internal/test/querytools"
)

// peers is the program that runs Go packages of other projects:
// go -C .ci/tools build ./peers compiles it.
const peers = "peers"

// goPackage queries with a Go package of another project: "go-svrquery" for SQP;
// "mcstatusgo", "minequery", "mcutil" or "mcutils" for Minecraft. The rule
// "numplayers" is the number of players.
func goPackage(name string) querytools.Tool {
	return querytools.Tool{Name: name, Program: peers,
		Run: func(ctx context.Context, addrs []string) []querytools.Result {
			return querytools.Lines(ctx, addrs, parsePeer, peers, append([]string{"query", name}, addrs...)...)
		}}
}

func parsePeer(line string) (querytools.Answer, error) {
	var got struct {
		Error                  string
		Name, Map              []byte
		MaxPlayers, NumPlayers int
		Players                [][]byte
	}
	if err := json.Unmarshal([]byte(line), &got); err != nil {
		return querytools.Answer{}, err
	}
	if got.Error != "" {
		return querytools.Answer{}, errors.New(got.Error)
	}
	a := querytools.Answer{
		Name: string(got.Name), Map: string(got.Map), MaxPlayers: got.MaxPlayers,
		Rules: map[string]string{"numplayers": fmt.Sprint(got.NumPlayers)},
	}
	for _, name := range got.Players {
		a.Players = append(a.Players, querytools.Player{Name: string(name)})
	}
	return a, nil
}

// A goServer is a server in a Go package of another project, for SQP: "go-svrquery"
// or "unity-sdk".
type goServer string

// A serverState is the state in the answers of a goServer.
type serverState struct {
	Name, Map              []byte
	NumPlayers, MaxPlayers int
	Metrics                []float32
}

// installed returns an error that wraps [querytools.ErrMissing] if the server is not installed.
func (goServer) installed(ctx context.Context) error {
	return querytools.Tool{Program: peers}.Installed(ctx)
}

// serve runs the server on a port of its own and returns its address. The server ends
// with ctx, or when stop is called.
func (s goServer) serve(ctx context.Context, state serverState) (addr string, stop func(), err error) {
	cmd := exec.CommandContext(ctx, peers, "serve", string(s))
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		in.Close()
		cmd.Wait()
	}
	if err := json.NewEncoder(in).Encode(state); err != nil {
		stop()
		return "", nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("%s: %w", s, err)
	}
	return strings.TrimSuffix(line, "\n"), stop, nil
}
