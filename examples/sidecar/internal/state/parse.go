package state

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/files"
	"github.com/lobbywire/lobbywire/internal/messagejson"
)

// MaxText is the maximum size of a state in JSON. The largest state that a protocol can
// carry, with 65535 bytes of players, is about half as large.
const MaxText = 1 << 20

// A document is a JSON object as package encoding/json decodes it, with numbers as
// json.Number.
type document = map[string]any

// Parse returns the state in a JSON text.
func Parse(text []byte) (lobbywire.View, error) {
	doc, err := decode(text)
	if err != nil {
		return lobbywire.View{}, err
	}
	return viewOf(doc)
}

// decode returns the only value of a text, which must be an object.
func decode(text []byte) (document, error) {
	if len(text) > MaxText {
		return nil, fmt.Errorf("the state has %d bytes, at most %d", len(text), MaxText)
	}
	text, err := io.ReadAll(files.Text(bytes.NewReader(text)))
	if err != nil {
		return nil, err
	}
	text, err = legible(text)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil, invalid(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("byte %d: more than one JSON value", dec.InputOffset())
	}
	doc, ok := value.(document)
	if !ok {
		return nil, errors.New("the state must be a JSON object")
	}
	return doc, nil
}

// invalid returns the error for a text that is not JSON, with the offset of the fault.
func invalid(err error) error {
	syntax := new(json.SyntaxError)
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("byte %d: not JSON: %w", syntax.Offset, syntax)
	case errors.Is(err, io.EOF):
		return errors.New("the text is empty")
	}
	return fmt.Errorf("not JSON: %w", err) // such as an unexpected end
}

// linesOnly are the members of a line of gamequery that do not describe the game.
var linesOnly = [...]string{"schema", "protocol", "address", "query", "rtt", "attempts", "lacks", "answer"}

// viewOf returns the state that a document describes. It changes the document.
func viewOf(doc document) (lobbywire.View, error) {
	if _, failed := doc["error"]; failed {
		return lobbywire.View{}, errors.New("/error: the line reports an error, not a state")
	}
	for _, name := range linesOnly {
		delete(doc, name)
	}
	if err := checkMembers(doc); err != nil {
		return lobbywire.View{}, err
	}
	text, err := json.Marshal(plain(doc))
	if err != nil {
		return lobbywire.View{}, err
	}
	var v lobbywire.View
	if err := messagejson.Unmarshal(text, &v); err != nil {
		return lobbywire.View{}, err
	}
	if err := checkCounts(v); err != nil {
		return lobbywire.View{}, err
	}
	return v, nil
}

// checkCounts fails if a count is negative or above what protocols can carry.
func checkCounts(v lobbywire.View) error {
	for _, c := range []struct {
		at string
		n  *int
	}{{"/players", v.Players}, {"/bots", v.Bots}, {"/max", v.Max}, {"/spectators", v.Spectators},
		{"/maxSpectators", v.MaxSpectators}} {
		if !isCount(c.n) {
			return badCount(c.at)
		}
	}
	for i, p := range v.Roster {
		if !isCount(p.Ping) {
			return badCount(fmt.Sprintf("/roster/%d/ping", i))
		}
	}
	return nil
}

// isCount reports whether n is unknown or a count.
func isCount(n *int) bool { return n == nil || 0 <= *n && *n <= math.MaxInt32 }

func badCount(at string) error {
	return fmt.Errorf("JSON value %q: want an integer from 0 to %d", at, math.MaxInt32)
}

// plain returns a value without members that are null, and with whole numbers as
// integers.
func plain(value any) any {
	switch value := value.(type) {
	case document:
		for name, member := range value {
			if member == nil {
				delete(value, name)
				continue
			}
			value[name] = plain(member)
		}
	case []any:
		for i, item := range value {
			value[i] = plain(item)
		}
	case json.Number:
		return whole(value)
	}
	return value
}

// maxExact is the largest number up to which every integer is a float64.
const maxExact = 1 << 53

// whole returns 3 for 3.0 and 3e0, and other numbers as they are.
func whole(n json.Number) json.Number {
	if !strings.ContainsAny(n.String(), ".eE") {
		return n
	}
	f, err := n.Float64()
	if err != nil || f != math.Trunc(f) || math.Abs(f) > maxExact {
		return n
	}
	return json.Number(strconv.FormatInt(int64(f), 10))
}
