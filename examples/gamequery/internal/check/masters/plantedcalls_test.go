package masters

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check/checktest"
	"github.com/lobbywire/lobbywire/warzone"
)

// A plantedCall is a mistake in how a toy serves connections.
type plantedCall = planted[func(right *checktest.Talker) *checktest.Talker]

// served changes how a toy serves a connection.
func served(
	serve func(right *checktest.Talker, from string, r, w net.Conn) error,
) func(*checktest.Talker) *checktest.Talker {
	return func(right *checktest.Talker) *checktest.Talker {
		return &checktest.Talker{Converse: func(from string, r io.Reader, w io.Writer) error {
			return serve(right, from, r.(net.Conn), w.(net.Conn))
		}}
	}
}

// A chopped reader passes on only valid packets.
type chopped struct {
	io.Reader
	isRight func(packet []byte) bool
}

func (c chopped) Read(b []byte) (int, error) {
	for {
		n, err := c.Reader.Read(b)
		if n == 0 || c.isRight(b[:n]) {
			return n, err
		}
	}
}

// wantsWhole drops packets that are not whole.
func wantsWhole(isWhole func(packet []byte) bool) func(*checktest.Talker) *checktest.Talker {
	return served(func(right *checktest.Talker, from string, r, w net.Conn) error {
		return right.Converse(from, bufio.NewReaderSize(chopped{r, isWhole}, check.MaxStream), w)
	})
}

// A cutting reader passes on the first of the messages that arrive together.
type cutting struct {
	io.Reader
	size func(packet []byte) int
}

func (c cutting) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	return min(n, c.size(b[:n])), err
}

// readsFirst loses the messages after the first one in a packet.
func readsFirst(size func(packet []byte) int) func(*checktest.Talker) *checktest.Talker {
	return served(func(right *checktest.Talker, from string, r, w net.Conn) error {
		return right.Converse(from, bufio.NewReaderSize(cutting{r, size}, check.MaxStream), w)
	})
}

// onlyOne serves one connection after the other.
func onlyOne(right *checktest.Talker) *checktest.Talker {
	busy := make(chan bool, 1)
	return served(func(right *checktest.Talker, from string, r, w net.Conn) error {
		busy <- true
		defer func() { <-busy }()
		return right.Converse(from, r, w)
	})(right)
}

// atEnd answers when the client has closed its side.
var atEnd = served(func(right *checktest.Talker, from string, r, w net.Conn) error {
	all, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return right.Converse(from, bytes.NewReader(all), w)
})

// staysOpen closes no connection.
var staysOpen = served(func(right *checktest.Talker, from string, r, w net.Conn) error {
	err := right.Converse(from, r, w)
	_, _ = io.Copy(io.Discard, w) // until the client closes it
	return err
})

// keepsReset does not notice that a connection was reset.
var keepsReset = served(func(right *checktest.Talker, from string, r, w net.Conn) error {
	return right.Converse(from, io.MultiReader(r, ending(func() {
		_ = w.SetReadDeadline(time.Now().Add(time.Millisecond))
		if _, err := w.Read(make([]byte, 1)); err == io.EOF {
			<-time.After(time.Hour)
		}
	})), w)
})

// ending is an empty reader that does something first.
type ending func()

func (e ending) Read([]byte) (int, error) {
	e()
	return 0, io.EOF
}

// rewriting changes what is written.
type rewriting struct {
	io.Writer
	change func(answer []byte) []byte
}

func (r rewriting) Write(b []byte) (int, error) {
	_, err := r.Writer.Write(r.change(b))
	return len(b), err
}

// ofTwo changes lists of two games of Warzone.
func ofTwo(change func(first, second []byte) []byte) func(*checktest.Talker) *checktest.Talker {
	return served(func(right *checktest.Talker, from string, r, w net.Conn) error {
		return right.Converse(from, r, rewriting{w, func(b []byte) []byte {
			const at = 4 // after the number of games
			if len(b) < at+2*gameSize {
				return b
			}
			games := change(b[at:at+gameSize], b[at+gameSize:at+2*gameSize])
			count := []byte{0, 0, 0, byte(len(games) / gameSize)}
			return slices.Concat(count, games, b[at+2*gameSize:])
		}})
	})
}

// sharedGames applies messages with a text to the games of all connections.
func sharedGames(text string) func(*checktest.Talker) *checktest.Talker {
	var mu sync.Mutex
	open := map[net.Conn]*io.PipeWriter{}
	return served(func(right *checktest.Talker, from string, r, w net.Conn) error {
		in, sends := io.Pipe()
		mu.Lock()
		open[r] = sends
		mu.Unlock()
		go func() {
			defer sends.Close()
			buf := make([]byte, check.MaxStream)
			for {
				n, err := r.Read(buf)
				if err != nil {
					break
				}
				mu.Lock()
				var all []*io.PipeWriter
				if bytes.Contains(buf[:n], []byte(text)) {
					for conn, other := range open {
						if conn != r {
							all = append(all, other)
						}
					}
				}
				mu.Unlock()
				for _, other := range all {
					_, _ = other.Write(buf[:n])
				}
				if len(all) > 0 {
					<-time.After(time.Millisecond) // until they are handled
				}
				_, _ = sends.Write(buf[:n])
			}
			mu.Lock()
			delete(open, r)
			mu.Unlock()
		}()
		defer in.Close()
		return right.Converse(from, in, w)
	})
}

// listing changes the lists of Bomberman.
func listing(change func(games []bomberman.Server) []bomberman.Server) func(*checktest.Talker) *checktest.Talker {
	return served(func(right *checktest.Talker, from string, r, w net.Conn) error {
		return right.Converse(from, r, rewriting{w, func(b []byte) []byte {
			m, _ := bomberman.ParseFrame(b) // the toy sends lists only
			list := m.(bomberman.QueryGameServersResponse)
			list.Servers = change(list.Servers)
			return check.Frames(list)
		}})
	})
}

func isWholeFrame(packet []byte) bool {
	_, rest, err := bomberman.NextFrame(packet, bomberman.MaxPayload)
	return err == nil && len(rest) < len(packet)
}

func firstFrame(packet []byte) int {
	_, rest, err := bomberman.NextFrame(packet, bomberman.MaxPayload)
	if err != nil {
		return len(packet)
	}
	return len(packet) - len(rest)
}

func plantedBombermanCalls() []plantedCall {
	return []plantedCall{
		{"needs a frame in one packet", wantsWhole(isWholeFrame), "bomberman/2.4"},
		{"loses the second frame of a packet", readsFirst(firstFrame), "bomberman/1.2"},
		{"serves one connection at a time", onlyOne, "bomberman/1.11"},
		{"answers when the client has closed its side", atEnd, "bomberman/2.4"},
		{"closes no connection", staysOpen, "bomberman/1.1"},
		{"keeps games whose connection was reset", keepsReset, "bomberman/1.13"},
		{"unregisters all games", sharedGames("msUnregister"), "bomberman/1.12"},
		{"updates all games", sharedGames("msUpdate"), "bomberman/1.14"},
		{"lists games that are alike once", listing(func(games []bomberman.Server) []bomberman.Server {
			return slices.CompactFunc(games, func(a, b bomberman.Server) bool { return a.Name == b.Name })
		}), "bomberman/1.15"},
		{"lists no names of hosts", listing(func(games []bomberman.Server) []bomberman.Server {
			return slices.DeleteFunc(games, func(g bomberman.Server) bool { return g.Address == "game.example.org" })
		}), "bomberman/1.16"},
		{"lists no lobby as open", listing(func(games []bomberman.Server) []bomberman.Server {
			for i := range games {
				games[i].IsLobbyOpen = false
			}
			return games
		}), "bomberman/1.8"},
	}
}

func plantedWarzoneCalls() []plantedCall {
	const largest = 1 << 10
	return []plantedCall{
		{"needs a message in one packet", wantsWhole(func(packet []byte) bool {
			return len(packet) >= 5
		}), "warzone/2.1"},
		{"needs a game in one packet", wantsWhole(func(packet []byte) bool {
			return len(packet) < 20 || len(packet) >= gameSize
		}), "warzone/2.2"},
		{"loses the second message of a packet", readsFirst(func(packet []byte) int {
			if bytes.HasPrefix(packet, []byte("gaId\x00")) {
				return 5
			}
			return min(len(packet), largest)
		}), "warzone/1.4"},
		{"serves one connection at a time", onlyOne, "warzone/1.13"},
		{"answers when the client has closed its side", atEnd, "warzone/2.1"},
		{"closes no connection", staysOpen, "warzone/1.1"},
		{"keeps games whose connection was reset", keepsReset, "warzone/1.14"},
		{"has one batch", served(func(right *checktest.Talker, from string, r, w net.Conn) error {
			return right.Converse(from, r, rewriting{w, func(b []byte) []byte {
				m, err := warzone.ParseListReply(b)
				if err != nil || m.Batches == nil {
					return b
				}
				m.Batches = nil
				return check.MustBinary(m)
			}})
		}), "warzone/4.1"},
		{"lists the game of one host", ofTwo(func(first, second []byte) []byte {
			if bytes.Compare(first, second) < 0 {
				return first
			}
			return second
		}), "warzone/1.14"},
		{"confuses the games of two hosts", ofTwo(func(first, second []byte) []byte {
			const start, end = 4, 68 // of the name
			return slices.Concat(first[:start], second[start:end], first[end:], second[:start], first[start:end], second[end:])
		}), "warzone/1.14"},
	}
}
