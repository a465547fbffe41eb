package tricks

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// endOfHead ends the lines of the head of a message of HTTP.
const endOfHead = "\r\n\r\n"

// wzhttpDialect is a lobby of 4.7, for clients that fetch its list.
func wzhttpDialect() dialect {
	return dialect{
		request: func(stream []byte) (request, rest []byte, err error) {
			at := bytes.Index(stream, []byte(endOfHead))
			if at < 0 {
				return nil, stream, nil
			}
			at += len(endOfHead)
			return stream[:at], stream[at:], nil
		},
		answer: func(request []byte, v lobbywire.View) []byte {
			if !bytes.HasPrefix(request, []byte("GET ")) {
				return nil
			}
			return okayed(lines(v))
		},
		closes: true,
		tricks: wzhttpTricks,
	}
}

// lines returns the lines of a list with a game.
func lines(v lobbywire.View) []byte {
	game := wzhttp.Game{ID: "G7K2Q", Connections: []wzhttp.ConnectionType{"tcp:ip4"}, Room: wzhttp.Room{
		Version: v.Version, Netcode: wzhttp.Netcode{Major: 1, Minor: 2}, Name: v.Name,
		Map:     wzhttp.Map{Name: v.Map},
		Players: wzhttp.Seats{Current: uint32(*v.Players), Max: uint32(*v.Max)},
	}}
	b, _ := wzhttp.AppendLine(nil, wzhttp.ListHeader{MOTD: "Welcome"}) // neither fails
	b, _ = wzhttp.AppendLine(b, game)
	return b
}

// spoken returns an answer of HTTP.
func spoken(status, header string, body []byte) []byte {
	head := status + "\r\nContent-Type: " + wzhttp.AcceptList + "\r\nConnection: close\r\n" + header + endOfHead
	return append([]byte(head), body...)
}

// okayed returns the answer with a list.
func okayed(list []byte) []byte {
	return spoken("HTTP/1.1 200 OK", fmt.Sprintf("Content-Length: %d", len(list)), list)
}

// chunked returns an answer in chunks.
func chunked(chunks ...string) []byte {
	var body strings.Builder
	for _, chunk := range chunks {
		body.WriteString(chunk)
	}
	return spoken("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", []byte(body.String()))
}

// chunk returns a chunk.
func chunk(text []byte) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }

// changedGame returns a trick's speech with the line of the game changed.
func changedGame(change func(line string, v lobbywire.View) string) func([]byte, lobbywire.View) speech {
	return func(_ []byte, v lobbywire.View) speech {
		header, game, _ := strings.Cut(string(lines(v)), "\n")
		return last(okayed([]byte(header + "\n" + change(game, v))))
	}
}

// wzhttpTricks returns the tricks, in the order of their numbers.
func wzhttpTricks() []trick {
	replaced := func(with string) func([]byte, lobbywire.View) speech {
		return changedGame(func(line string, v lobbywire.View) string {
			return strings.Replace(line, v.Name+`"`, v.Name+with, 1)
		})
	}
	return append(commonTricks(true), []trick{
		{number: "6", level: check.Must, sentence: "the list comes in chunks, which cut its lines",
			source: byLobbies, shows: true,
			speech: func(_ []byte, v lobbywire.View) speech {
				list := lines(v)
				half := len(list) / 2
				return last(chunked(chunk(list[:half]), chunk(list[half:]), chunk(nil)))
			}},
		{number: "7", level: check.Should, sentence: "the game has unknown members and white space",
			source: byLobbies, shows: true,
			speech: changedGame(func(line string, _ lobbywire.View) string {
				return ` { "new" : [ 1, { "name" : "Wrong" } ] , ` + line[1:]
			})},
		{number: "8", level: check.Should, sentence: "an object that is no game comes first", source: byLobbies, shows: true,
			speech: changedGame(func(line string, _ lobbywire.View) string {
				return `{"id":1,"was":{"name":"Wrong"}}` + "\n" + line
			})},
		{number: "9", level: check.Should, sentence: "the list has no header", source: byLobbies, shows: true,
			speech: func(_ []byte, v lobbywire.View) speech {
				_, game, _ := bytes.Cut(lines(v), []byte("\n"))
				return last(okayed(game))
			}},
		{number: "10", level: check.Must, sentence: "the name has characters that control a terminal",
			source: byLobbies, shows: true, speech: replaced(`\u001b[31m\u0007"`), shown: bare},
		{number: "11", level: check.Should, sentence: "the name has a byte of Latin-1", source: byLobbies,
			speech: replaced("\xfc\"")},
		{number: "12", level: check.Should, sentence: "the name has no quote at its end", source: byLobbies,
			speech: replaced("")},
		{number: "13", level: check.Must, sentence: "the last line is cut", source: byLobbies,
			speech: changedGame(func(line string, _ lobbywire.View) string {
				return line + line[:len(line)/2]
			})},
		{number: "14", level: check.Must, sentence: "the length is one too large, and the connection ends", source: byLobbies,
			speech: func(_ []byte, v lobbywire.View) speech {
				list := lines(v)
				return last(spoken("HTTP/1.1 200 OK", fmt.Sprintf("Content-Length: %d", len(list)+1), list))
			}},
		{number: "15", level: check.Must, sentence: "the size of a chunk is larger than any number", source: byLobbies,
			speech: func(_ []byte, v lobbywire.View) speech {
				return last(chunked(chunk(lines(v)), "fffffffffffffffff\r\n"))
			}},
		{number: "16", level: check.Must, sentence: "the lobby refuses by status 429, with a list", source: byLobbies,
			speech: func(_ []byte, v lobbywire.View) speech {
				list := lines(v)
				return last(spoken("HTTP/1.1 429 Too Many Requests", fmt.Sprintf("Content-Length: %d", len(list)), list))
			}},
	}...)
}
