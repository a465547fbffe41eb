package vectors_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/examples/fuzzharness/vectors"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/sqp"
)

// The parsers of messages that need no more than their bytes read what the vectors say, also
// texts that are not UTF-8 and invalid messages.
func TestCheckAcceptsWhatParsersRead(t *testing.T) {
	parsers := map[string]func(b []byte) (any, error){
		"sqp/QueryRequest":           func(b []byte) (any, error) { return sqp.ParseQueryRequest(b) },
		"sqp/Packet":                 func(b []byte) (any, error) { return sqp.ParsePacket(b) },
		"gamespy2/Response":          func(b []byte) (any, error) { return gamespy2.ParseResponse(b) },
		"gamespy2/ChallengeResponse": func(b []byte) (any, error) { return gamespy2.ParseChallengeResponse(b) },
		"bomberman/PlayerAction":     func(b []byte) (any, error) { return bomberman.ParseFrame(b) },
		"bomberman/ArenaUpdated":     func(b []byte) (any, error) { return bomberman.ParseFrame(b) },
	}
	checked, failures := 0, 0
	for _, pkg := range []string{"sqp", "gamespy2", "bomberman"} {
		all, err := vectors.Of(pkg)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range all {
			parse := parsers[pkg+"/"+v.Message]
			if parse == nil || v.Header["Part"] != "" {
				continue
			}
			m, err := parse(v.Bytes)
			if err := v.Check(m, err); err != nil {
				t.Error(err)
			}
			if err != nil {
				failures++
			}
			checked++
		}
	}
	if checked < 60 || failures < 5 {
		t.Errorf("%d vectors, %d of them invalid", checked, failures)
	}
}

func TestCheckRefusesOtherResults(t *testing.T) {
	all, err := vectors.Of("sqp", "client to server")
	if err != nil {
		t.Fatal(err)
	}
	invalid := 0
	for _, v := range all {
		if v.Direction != "client to server" {
			t.Errorf("%s is %s", v.Name, v.Direction)
		}
		broken := errors.New("broken")
		if strings.Contains(string(v.JSON), `"error"`) {
			invalid++
			if err := v.Check(struct{ Token uint32 }{}, broken); err != nil {
				t.Errorf("the error of another decoder: %v", err)
			}
			broken = nil
		}
		for name, err := range map[string]error{
			"another value":   v.Check(sqp.QueryRequest{Token: 0x5eed}, nil),
			"another error":   v.Check(nil, &lobbywire.Error{Field: "none", Err: lobbywire.ErrInvalid}),
			"a broken parser": v.Check(nil, broken),
		} {
			if err == nil || !strings.HasPrefix(err.Error(), v.Name+": ") {
				t.Errorf("%s, %s: %v", v.Name, name, err)
			}
		}
	}
	if invalid == 0 {
		t.Error("no vector is invalid")
	}
	if all, err := vectors.Of("sqp/sqpnet"); err == nil {
		t.Errorf("%d vectors of a package that has none", len(all))
	}
}

// A decoder of one's own has types of its own.
func TestCheckAcceptsOtherTypes(t *testing.T) {
	type query struct {
		Token   uint32
		Version uint16
		Chunks  uint8
	}
	all, err := vectors.Of("sqp", "client to server")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		if m, err := sqp.ParseQueryRequest(v.Bytes); v.Message == "QueryRequest" && err == nil {
			if err := v.Check(query{m.Token, m.Version, uint8(m.Chunks)}, nil); err != nil {
				t.Error(err)
			}
			if err := v.Check(query{m.Token, m.Version, uint8(m.Chunks) + 1}, nil); err == nil {
				t.Errorf("%s: another value is accepted", v.Name)
			}
		}
	}
}

// A test of a decoder runs all vectors of its messages.
func ExampleVector_Check() {
	all, err := vectors.Of("sqp", "client to server")
	for _, v := range all {
		if v.Message == "QueryRequest" {
			err = errors.Join(err, v.Check(sqp.ParseQueryRequest(v.Bytes)))
		}
	}
	fmt.Println(err)
	// Output: <nil>
}
