package formats

import (
	"bytes"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

func wzhttpFormats() []Format {
	all := wzhttpMessages()
	lines := make([]Format, 0, 2)
	for _, name := range []string{"wzhttp.ListHeader", "wzhttp.Game"} {
		f, _ := Find(all, name)
		lines = append(lines, f)
	}
	framed := inFrames(lines, frame{append: func(b, line []byte) ([]byte, error) {
		return append(append(b, line...), '\n'), nil
	}})
	requests := newMessage("wzhttp.HTTPRequest", "a request to a lobby, with its head", httpMessage{},
		func(b []byte, o Options) (encoder, error) { return parseHTTP(b, o, wzhttpRequest) },
		func(b []byte) lobbywire.Explanation { return explainHTTP(b, DefaultOptions(), wzhttpRequest) })
	answers := newMessage("wzhttp.HTTPAnswer", "an answer of a lobby, with its head", httpMessage{},
		func(b []byte, o Options) (encoder, error) { return parseHTTP(b, o, wzhttpAnswer) },
		func(b []byte) lobbywire.Explanation { return explainHTTP(b, DefaultOptions(), wzhttpAnswer) })
	return append(all,
		newStream("wzhttp.List", "a list, line by line", "wzhttp",
			func(rest []byte, _ Options) (int, Format, error) { return cutLine(rest, framed) },
			framed),
		requests,
		answers,
		newStream("wzhttp.HTTPRequests", "all that a client sends to a lobby", "wzhttp",
			func(rest []byte, _ Options) (int, Format, error) { return cutHTTPMessage(rest, requests) },
			members{requests}),
		newStream("wzhttp.HTTPAnswers", "all that a lobby sends to a client", "wzhttp",
			func(rest []byte, _ Options) (int, Format, error) { return cutHTTPMessage(rest, answers) },
			members{answers}),
	)
}

func wzhttpOptions(o Options) wzhttp.Options { return wzhttp.Options{Strict: o.Strict} }

// cutLine cuts a line of a list. Its last byte, a line feed, is white space to JSON.
func cutLine(rest []byte, framed []Format) (size int, f Format, err error) {
	size = len(rest)
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		size = i + 1
	}
	f, _ = Find(framed, lineName(rest[:size]))
	return size, f, nil
}

// lineName returns the format of a line.
func lineName(line []byte) string {
	m, err := wzhttp.ParseLine(line)
	if _, isGame := m.(wzhttp.Game); err != nil || isGame {
		return "wzhttp.Game"
	}
	return "wzhttp.ListHeader"
}
