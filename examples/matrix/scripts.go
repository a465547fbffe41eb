package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/encoding/charmap"

	"github.com/lobbywire/lobbywire/internal/test/querytools"
	"github.com/lobbywire/lobbywire/internal/test/scripted"
	"github.com/lobbywire/lobbywire/sqp"
)

// The clients here stand for programs that cannot be installed. They send the bytes
// that the programs send, and join the answers as the programs do.

var errNoAnswer = errors.New("no answer")

// A conversation is the socket of a client.
type conversation struct{ net.Conn }

// scriptedClient returns a client that has a conversation with each server.
func scriptedClient(name string, talk func(c conversation) (querytools.Answer, error)) querytools.Tool {
	return querytools.Script(name, func(ctx context.Context, addr string) (querytools.Answer, error) {
		var d net.Dialer
		conn, err := d.DialContext(ctx, "udp", addr)
		if err != nil {
			return querytools.Answer{}, err
		}
		defer conn.Close()
		return talk(conversation{conn})
	})
}

// ask sends a request and returns the datagrams that arrive until they are whole, or
// until none arrives for a while.
func (c conversation) ask(request string, wait time.Duration, isWhole func(packets [][]byte) bool) ([][]byte, error) {
	if _, err := c.Write([]byte(request)); err != nil {
		return nil, err
	}
	var packets [][]byte
	buf := make([]byte, 1<<16)
	for isWhole == nil || len(packets) == 0 || !isWhole(packets) {
		if err := c.SetReadDeadline(time.Now().Add(wait)); err != nil {
			return nil, err
		}
		n, err := c.Read(buf)
		if err != nil {
			break
		}
		packets = append(packets, bytes.Clone(buf[:n]))
	}
	if len(packets) == 0 {
		return nil, errNoAnswer
	}
	return packets, nil
}

// one is for requests that get one datagram.
func one([][]byte) bool { return true }

// numberAt is the offset of the number in a packet of a split answer. The highest bit marks
// the last one.
const numberAt = 14

func number(packet []byte) int {
	if len(packet) <= numberAt {
		return 0
	}
	return int(packet[numberAt] & 0x7f)
}

// hasLast reports whether the last packet of a split answer has arrived.
func hasLast(packets [][]byte) bool {
	return slices.ContainsFunc(packets, func(b []byte) bool { return len(b) > numberAt && b[numberAt]&0x80 != 0 })
}

// challenge requests a challenge for a request ID, and returns it in the form of queries:
// four bytes, or none if the server answers 0.
func (c conversation) challenge(id string, wait time.Duration) (string, error) {
	packets, err := c.ask("\xfe\xfd\x09"+id, wait, one)
	if err != nil {
		return "", err
	}
	text := bytes.TrimPrefix(packets[0], []byte("\x09"+id))
	n, err := strconv.ParseInt(string(bytes.TrimRight(text, "\x00")), 10, 32)
	if err != nil || n == 0 {
		return "", err
	}
	return string(binary.BigEndian.AppendUint32(nil, uint32(n))), nil
}

// queryAll requests everything from a GameSpy server, with a challenge if needsChallenge
// is set.
func (c conversation) queryAll(id string, needsChallenge bool, wait time.Duration,
	isWhole func(packets [][]byte) bool) ([][]byte, error) {
	var token string
	if needsChallenge {
		var err error
		token, err = c.challenge(id, wait)
		if err != nil {
			return nil, err
		}
	}
	return c.ask("\xfe\xfd\x00"+id+token+"\xff\xff\xff\x01", wait, isWhole)
}

// gameQ is GameQ's class for a protocol: "bf2" sends no challenge, and "gamespy4"
// does. It waits for datagrams until a time-out and sorts them.
func gameQ(class string) querytools.Tool {
	return scriptedClient("GameQ "+class, func(c conversation) (querytools.Answer, error) {
		packets, err := c.queryAll("\x10\x20\x30\x40", class != "bf2", time.Second, nil)
		if err != nil {
			return querytools.Answer{}, err
		}
		slices.SortStableFunc(packets, func(a, b []byte) int { return number(a) - number(b) })
		r, err := scripted.GameQ(packets)
		return ofReading(r, err, latin1)
	})
}

// openGSQ is a protocol of opengsq-python: "battlefield2" sends no challenge, and
// "gamespy4" does. It reads datagrams until the last of an answer.
func openGSQ(protocol string) querytools.Tool {
	return scriptedClient("opengsq "+protocol, func(c conversation) (querytools.Answer, error) {
		packets, err := c.queryAll("\x04\x05\x06\x07", protocol != "battlefield2", 5*time.Second, hasLast)
		if err != nil {
			return querytools.Answer{}, err
		}
		r, err := scripted.OpenGSQ(packets)
		return ofReading(r, err, dropNotUTF8)
	})
}

// battlefieldBrowser is the list of servers in Battlefield 2, and in other games with
// GameSpy's SDK: a query for everything, without a challenge, and 2.5 s of patience.
func battlefieldBrowser() querytools.Tool {
	return scriptedClient("Battlefield 2", func(c conversation) (querytools.Answer, error) {
		packets, err := c.ask("\xfe\xfd\x00\x00\x01\x86\xa0\xff\xff\xff\x01", 2500*time.Millisecond,
			func(packets [][]byte) bool {
				_, err := scripted.SDK(packets)
				return err == nil
			})
		if err != nil {
			return querytools.Answer{}, err
		}
		r, err := scripted.SDK(packets)
		return ofReading(r, err, asIs)
	})
}

// ofReading returns the answer that a client shows for a reading. It decodes texts.
func ofReading(r *scripted.Reading, err error, decode func(wire string) string) (querytools.Answer, error) {
	if err != nil {
		return querytools.Answer{}, err
	}
	limit, err := strconv.Atoi(r.Info["maxplayers"])
	a := querytools.Answer{Name: decode(r.Info["hostname"]), Map: r.Info["mapname"], MaxPlayers: limit, Rules: r.Info}
	for i, name := range r.Columns["player_"] {
		p := querytools.Player{Name: decode(name), Fields: map[string]string{}}
		for _, column := range []string{"score", "ping"} {
			if values := r.Columns[column+"_"]; i < len(values) {
				p.Fields[column] = values[i]
			}
		}
		a.Players = append(a.Players, p)
	}
	return a, err
}

// latin1 decodes text as GameQ does, also if it is UTF-8.
func latin1(text string) string {
	decoded, _ := charmap.ISO8859_1.NewDecoder().String(text) // which knows all bytes
	return decoded
}

// gameQLegacy is GameQ at a Serious Sam server.
func gameQLegacy() querytools.Tool { return legacy("GameQ", nil, latin1) }

// openGSQLegacy is opengsq-python at a Serious Sam server.
func openGSQLegacy() querytools.Tool {
	return legacy("opengsq", func(packets [][]byte) bool {
		return scripted.GameSpy1Joiners()["opengsq"](asTexts(packets)) != nil
	}, dropNotUTF8)
}

// legacy is a client of the legacy form, which joins datagrams by its rules.
func legacy(name string, isWhole func(packets [][]byte) bool, decode func(wire string) string) querytools.Tool {
	return scriptedClient(name+" serioussam", func(c conversation) (querytools.Answer, error) {
		packets, err := c.ask(`\status\`, time.Second, isWhole)
		if err != nil {
			return querytools.Answer{}, err
		}
		pairs := scripted.GameSpy1Joiners()[name](asTexts(packets))
		if pairs == nil {
			return querytools.Answer{}, errNoAnswer
		}
		return ofPairs(pairs, decode)
	})
}

func asTexts(packets [][]byte) []string {
	var list []string
	for _, b := range packets {
		list = append(list, string(b))
	}
	return list
}

// ofPairs returns the answer that a client shows for a server of the legacy form.
func ofPairs(pairs map[string]string, decode func(wire string) string) (querytools.Answer, error) {
	limit, err := strconv.Atoi(pairs["maxplayers"])
	a := querytools.Answer{Name: decode(pairs["hostname"]), Map: pairs["mapname"], MaxPlayers: limit, Rules: pairs}
	for i := 0; ; i++ {
		n := strconv.Itoa(i)
		name, ok := pairs["player_"+n]
		if !ok {
			return a, err
		}
		a.Players = append(a.Players, querytools.Player{
			Name: decode(name), Fields: map[string]string{"frags": pairs["frags_"+n], "ping": pairs["ping_"+n]},
		})
	}
}

// seriousEngine is the list of servers in Serious Sam, with native queries: one byte
// requests the status, whose last value is the name.
func seriousEngine() querytools.Tool {
	return scriptedClient("Serious Engine 1", func(c conversation) (querytools.Answer, error) {
		packets, err := c.ask("\x02", 2*time.Second, one)
		if err != nil {
			return querytools.Answer{}, err
		}
		words := strings.Split(string(packets[0]), ";")
		pairs := map[string]string{}
		for i := 1; i+1 < len(words); i += 2 {
			pairs[words[i]] = words[i+1]
		}
		limit, err := strconv.Atoi(pairs["maxplayers"])
		return querytools.Answer{
			Name: pairs["sessionname"], Map: pairs["level"], MaxPlayers: limit,
			Rules: map[string]string{"numplayers": pairs["players"]},
		}, err
	})
}

// unityTestClient is the test client of Unity's C# package for SQP: a challenge request,
// and a query of version 0 for the server's info.
func unityTestClient() querytools.Tool {
	return scriptedClient("unity-usqp", func(c conversation) (querytools.Answer, error) {
		challenge, err := c.ask("\x00\x00\x00\x00\x00", time.Second, one)
		if err != nil {
			return querytools.Answer{}, err
		}
		packets, err := c.ask("\x01"+string(challenge[0][1:])+"\x00\x00\x01", time.Second, one)
		if err != nil {
			return querytools.Answer{}, err
		}
		m, err := sqp.ParseQueryResponse(packets[0], sqp.ChunkServerInfo)
		if err != nil {
			return querytools.Answer{}, err
		}
		return ofView(m.View()), nil
	})
}

func asIs(s string) string { return s }

// dropNotUTF8 drops the bytes of a text that are no UTF-8.
func dropNotUTF8(s string) string { return strings.ToValidUTF8(s, "") }
