package main

import (
	"bytes"
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp"
)

// stateOfRound returns a state whose members all name the round.
func stateOfRound(n int) lobbywire.View {
	name := fmt.Sprint("round ", n)
	v := lobbywire.View{Name: name, Map: name, Mode: name, Version: name, Max: new(n)}
	for range n % 8 {
		v.Roster = append(v.Roster, lobbywire.Player{Name: name})
	}
	v.Rules = []lobbywire.Rule{{Key: "round", Value: name}}
	return v
}

// mixed returns an error if an answer has members of several rounds.
func mixed(v lobbywire.View) error {
	for _, text := range []string{v.Map, v.Mode, v.Version, fmt.Sprint("round ", *v.Max)} {
		if text != v.Name {
			return fmt.Errorf("%s with %s", v.Name, text)
		}
	}
	if n, _ := v.Counts(); n != *v.Max%8 || len(v.Roster) != n {
		return fmt.Errorf("%+v has %d players and %d names", v, n, len(v.Roster))
	}
	for _, p := range v.Roster {
		if p.Name != v.Name {
			return fmt.Errorf("%s with the player %s", v.Name, p.Name)
		}
	}
	return nil
}

// askAtOnce requests all chunks of SQP in one query. The client of sqpnet requests them one
// after the other, so that its answers may be of several states.
func askAtOnce(ctx context.Context, addr string) (lobbywire.View, error) {
	c, err := new(net.Dialer).DialContext(ctx, "udp", addr)
	if err != nil {
		return lobbywire.View{}, err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Second / 10)) // beyond the rate of a source there is no answer
	packet := make([]byte, sqp.MaxDatagram)
	ask := func(m encoding.BinaryMarshaler) ([]byte, error) {
		b, err := m.MarshalBinary()
		if err != nil {
			return nil, err
		}
		if _, err := c.Write(b); err != nil {
			return nil, err
		}
		n, err := c.Read(packet)
		return packet[:n], err
	}
	b, err := ask(sqp.ChallengeRequest{})
	if err != nil {
		return lobbywire.View{}, err
	}
	challenge, err := sqp.ParseChallengeResponse(b)
	if err != nil {
		return lobbywire.View{}, err
	}
	b, err = ask(sqp.QueryRequest{Token: challenge.Token, Version: sqp.Version, Chunks: sqp.AllChunks})
	if err != nil {
		return lobbywire.View{}, err
	}
	answer, err := sqp.ParseQueryResponse(b, sqp.AllChunks)
	return answer.View(), err
}

// While the state changes 100 times a second, and others flood the place of reports, every
// answer shows one state.
func TestNoAnswerMixesStates(t *testing.T) {
	const rounds = 100
	r := start(t, nil)
	put := func(n int) {
		text, _ := json.Marshal(stateOfRound(n)) // cannot fail
		if code, text := r.send(t, "PUT", "/v1/state", string(text)); code != http.StatusNoContent {
			t.Error(code, text)
		}
	}
	put(0)
	ctx, cancel := context.WithCancel(t.Context())
	var tasks sync.WaitGroup
	for _, query := range []func() (lobbywire.View, error){
		func() (lobbywire.View, error) { return askAtOnce(ctx, r.at("sqp")) },
		func() (lobbywire.View, error) {
			a, err := new(gamespy2net.Client).Query(ctx, r.at("gamespy2"))
			return a.View(), err
		},
	} {
		tasks.Go(func() {
			answers := 0
			for ; ctx.Err() == nil; answers++ {
				v, err := query()
				if errors.Is(err, os.ErrDeadlineExceeded) {
					continue
				}
				if err == nil {
					err = mixed(v)
				}
				if err != nil && ctx.Err() == nil {
					t.Error(err)
				}
			}
			if answers < 10 {
				t.Errorf("%d answers", answers)
			}
		})
	}
	tasks.Go(func() {
		for ctx.Err() == nil {
			r.send(t, "PATCH", "/v1/state", `{"name":`)
		}
	})
	tick := time.NewTicker(time.Second / 100)
	defer tick.Stop()
	for n := range rounds {
		<-tick.C
		put(n)
	}
	cancel()
	tasks.Wait()
}

// A game can report although a thousand connections are open, and a body of 10 MB is
// refused before it has arrived.
func TestCrowdOfConnections(t *testing.T) {
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
	if _, err := first.Read(make([]byte, 1)); err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the first of 1000 connections: %v, want its end", err)
	}

	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, r.url+"/v1/state", bytes.NewReader(make([]byte, 10<<20)))
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
