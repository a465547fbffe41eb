package querytools

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// peers is the program that runs Go packages of other projects. Its source is in
// .ci/tools/peers.
const peers = "peers"

// GoPackage queries with a Go package of another project: "go-svrquery" for SQP;
// "mcstatusgo", "minequery", "mcutil" or "mcutils" for Minecraft. The rule
// "numplayers" is the number of players.
func GoPackage(name string) Tool {
	return Tool{Name: name, program: peers, query: func(ctx context.Context, addrs []string) []Result {
		return lines(ctx, addrs, parsePeer, peers, append([]string{"query", name}, addrs...)...)
	}}
}

func parsePeer(line string) (Answer, error) {
	var got struct {
		Error                  string
		Name, Map              []byte
		MaxPlayers, NumPlayers int
		Players                [][]byte
	}
	if err := json.Unmarshal([]byte(line), &got); err != nil {
		return Answer{}, err
	}
	if got.Error != "" {
		return Answer{}, errors.New(got.Error)
	}
	a := Answer{
		Name: string(got.Name), Map: string(got.Map), MaxPlayers: got.MaxPlayers,
		Rules: map[string]string{"numplayers": fmt.Sprint(got.NumPlayers)},
	}
	for _, name := range got.Players {
		a.Players = append(a.Players, Player{Name: string(name)})
	}
	return a, nil
}

// A GoServer is a server in a Go package of another project, for SQP: "go-svrquery"
// or "unity-sdk".
type GoServer string

// A ServerState is what a GoServer answers with.
type ServerState struct {
	Name, Map              []byte
	NumPlayers, MaxPlayers int
	Metrics                []float32
}

// Installed returns an error that wraps ErrMissing if the server is not installed.
func (GoServer) Installed(ctx context.Context) error {
	return Tool{program: peers}.Installed(ctx)
}

// Serve runs the server on a port of its own and returns its address. The server ends
// with ctx, or when stop is called.
func (s GoServer) Serve(ctx context.Context, state ServerState) (addr string, stop func(), err error) {
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
