package gamespy2_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/golden"
	"github.com/lobbywire/lobbywire/internal/laws"
)

// compare compares messages. Selector and EchoData have unexported fields.
var compare = cmp.Options{
	cmp.Comparer(func(a, b gamespy2.Selector) bool { return a == b }),
	cmp.Comparer(func(a, b gamespy2.EchoData) bool { return a == b }),
}

// values returns the codec for answers to a query that lists n keys.
func values(n int) laws.Codec[gamespy2.Values] {
	return laws.Codec[gamespy2.Values]{
		Parse:   func(b []byte) (gamespy2.Values, error) { return gamespy2.ParseValues(b, n) },
		Explain: func(b []byte) lobbywire.Explanation { return gamespy2.ExplainValues(b, n) },
	}
}

// A request is a Request without UnmarshalBinary, which has no Options.
type request gamespy2.Request

func (m request) AppendBinary(b []byte) ([]byte, error) { return gamespy2.Request(m).AppendBinary(b) }
func (m request) MarshalBinary() ([]byte, error)        { return gamespy2.Request(m).MarshalBinary() }

func requestsWith(o gamespy2.Options) laws.Codec[request] {
	return laws.Codec[request]{
		Parse: func(b []byte) (request, error) {
			m, err := o.ParseRequest(b)
			return request(m), err
		},
		Explain: func(b []byte) lobbywire.Explanation { return gamespy2.ExplainWith[gamespy2.Request](o, b) },
		Compare: compare,
	}
}

// A response is a Response without UnmarshalBinary, which has no Options.
type response gamespy2.Response

func (m response) AppendBinary(b []byte) ([]byte, error) { return gamespy2.Response(m).AppendBinary(b) }
func (m response) MarshalBinary() ([]byte, error)        { return gamespy2.Response(m).MarshalBinary() }

func responsesWith(o gamespy2.Options) laws.Codec[response] {
	return laws.Codec[response]{
		Parse: func(b []byte) (response, error) {
			m, err := o.ParseResponse(b)
			return response(m), err
		},
		Explain: func(b []byte) lobbywire.Explanation { return gamespy2.ExplainWith[gamespy2.Response](o, b) },
	}
}

// number returns a number from the header of a golden file.
func number(t testing.TB, f golden.File, key string) int {
	n, err := strconv.Atoi(f.Header[key])
	if err != nil {
		t.Fatalf("%s: header %s: %v", f.Name, key, err)
	}
	return n
}

func TestGolden(t *testing.T) {
	laws.Golden(t, func(f golden.File) laws.Law {
		switch f.Message() {
		case "Request":
			if f.Header["Challenge"] != "" {
				return requestsWith(gamespy2.Options{Challenge: true})
			}
		case "Response":
			if f.Header["Part"] != "" {
				return responsesWith(gamespy2.Options{Part: true})
			}
		case "Values":
			return values(number(t, f, "Keys"))
		}
		return lawOf(f.Message())
	})
}
