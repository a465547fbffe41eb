package formats

import (
	"bytes"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A wzproposalEncoding is the text or the binary proposal for the lobby of Warzone.
type wzproposalEncoding struct {
	name     string
	encoding wzproposal.Encoding
}

var (
	textProposal   = wzproposalEncoding{"wztext", wzproposal.Text}
	binaryProposal = wzproposalEncoding{"wzbinary", wzproposal.Binary}
)

func (p wzproposalEncoding) options(o Options) wzproposal.Options {
	return wzproposal.Options{Encoding: p.encoding, Strict: o.Strict}
}

// wzproposalMessage returns the format of a message that is appended in the encoding of p.
func wzproposalMessage(
	p wzproposalEncoding, name, doc string,
	empty wzproposal.Message,
	parse func(b []byte, o Options) (encoder, error),
	explain func(o wzproposal.Options, b []byte) lobbywire.Explanation,
) Format {
	return Format{Name: p.name + "." + name, Doc: doc, Codec: message{
		empty:  empty,
		parse:  parse,
		fields: func(b []byte, _ Options) lobbywire.Explanation { return explain(p.options(Options{}), b) },
		append: func(v encoder) ([]byte, error) { return p.encoding.Append(nil, v.(wzproposal.Message)) },
	}}
}

func (p wzproposalEncoding) formats() []Format {
	all := wzproposalMessages(p, wzproposalMessage(p, "Unknown", "a message with another command",
		wzproposal.Unknown{}, func(b []byte, o Options) (encoder, error) {
			m, err := p.options(o).ParseFrame(b)
			return wzproposal.Unknown(m), err
		}, wzproposal.ExplainWith[wzproposal.Frame]))
	explain := p.options(Options{})
	requests, responses := membersOf[wzproposal.Request](all), membersOf[wzproposal.Response](all)
	return append(all,
		newChoice(p.name+".Request", "any request",
			func(b []byte, o Options) (encoder, error) { return p.options(o).ParseRequest(b) }, explain.ExplainRequest,
			requests),
		newChoice(p.name+".Response", "any answer",
			func(b []byte, o Options) (encoder, error) { return p.options(o).ParseResponse(b) }, explain.ExplainResponse,
			responses),
		newStream(p.name+".Stream", "either direction of a connection", "wzproposal",
			func(rest []byte, o Options) (int, Format, error) { return p.cut(all, rest, o) },
			slices.Concat(requests, responses)),
	)
}

// cut cuts a line or a frame, or all lines or frames of a list.
func (p wzproposalEncoding) cut(all []Format, rest []byte, o Options) (size int, f Format, err error) {
	name := nameOfCommand(p.command(rest, o))
	f, _ = Find(all, p.name+"."+name)
	framer := wzproposal.Framer{Options: p.options(o)}
	next := framer.Next
	if name == "GameList" {
		next = func(b []byte) (_, rest []byte, err error) {
			_, rest, err = framer.NextResponse(b)
			return nil, rest, err
		}
	}
	_, after, err := next(rest)
	return len(rest) - len(after), f, err
}

// command returns the command that b, which is not empty, starts with.
func (p wzproposalEncoding) command(b []byte, o Options) string {
	if p.encoding == wzproposal.Binary {
		m, _ := p.options(o).ParseFrame([]byte{b[0], 0}) // a complete message
		return m.Command
	}
	end := bytes.IndexAny(b[:min(len(b), wzproposal.MaxLine)], "\t \r\n")
	word := string(b[:max(end, 0)])
	if !o.Strict {
		word = strings.ToUpper(word)
	}
	return word
}

// nameOfCommand returns the name of the message that starts with a command.
func nameOfCommand(command string) string {
	switch command {
	case "LIST":
		return "List"
	case "OPENGAME":
		return "OpenGame"
	case "STARTGAME":
		return "StartGame"
	case "CLOSEGAME":
		return "CloseGame"
	case "COUNT":
		return "GameList"
	case "DONE":
		return "Done"
	case "ERROR":
		return "Error"
	}
	return "Unknown"
}
