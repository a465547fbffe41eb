package formats

import (
	"cmp"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// The name and the secret key of the sample of GameSpy's SDK.
const (
	Sample    = "gmtest"
	SampleKey = "HA6zkS"
)

// A ServerBrowsing holds what decoding messages of server browsing needs but the messages
// lack.
type ServerBrowsing struct {
	Secret  string          // of the game that an Answer is for, or of several games: see secretOfRequest
	Request sb2.ListRequest // that an Answer answers
	NoList  bool            // a List answers a request without a list
	Keys    []sb2.Key       // of a PushServer
}

func sb2Formats() []Format {
	all := sb2Messages(
		Format{Name: "sb2.Answer", Doc: "encrypted answer to a ListRequest; needs -secret and -request",
			Codec: messageOf(
				func(b []byte, o Options) (sb2.Answer, error) {
					return sb2Options(o).ParseAnswer(b, o.ServerBrowsing.secretOfRequest(), o.ServerBrowsing.Request)
				},
				func(b []byte, o Options) lobbywire.Explanation {
					return sb2.ExplainAnswer(b, o.ServerBrowsing.secretOfRequest(), o.ServerBrowsing.Request)
				},
			)},
		newSB2Message("sb2.List", "decrypted answer to a ListRequest", sb2.Options.ParseList,
			sb2.ExplainWith[sb2.List]),
		newSB2Message("sb2.PushServer", "server that is new or has changed; with fields it needs -fields",
			sb2.Options.ParsePushServer, sb2.ExplainWith[sb2.PushServer]),
	)
	requests := membersOf[sb2.Request](all)
	request, _ := Find(all, "sb2.Request")
	return append(all, newStream("sb2.ClientStream", "all that a client sends to a master", "sb2",
		func(rest []byte, o Options) (int, Format, error) { return cutSB2(request, rest) },
		requests), newSB2MasterStream(all))
}

// newSB2Message returns the format of a message that needs options.
func newSB2Message[T encoder](
	name, doc string,
	parse func(o sb2.Options, b []byte) (T, error),
	explain func(o sb2.Options, b []byte) lobbywire.Explanation,
) Format {
	return Format{Name: name, Doc: doc, Codec: withOptions(sb2Options, parse, explain)}
}

func sb2Options(o Options) sb2.Options {
	return sb2.Options{Strict: o.Strict, NoList: o.ServerBrowsing.NoList, Keys: o.ServerBrowsing.Keys}
}

// cutSB2 cuts a request.
func cutSB2(request Format, rest []byte) (size int, f Format, err error) {
	frame, _, err := sb2.NextFrame(rest, sb2.MaxMessage)
	return len(frame), request, err
}

// secretOfRequest returns the secret key that encrypts the answer to the request, "" if
// it is unknown. c.secret is a key, or the names of games and their keys, as in
// "gmtest=HA6zkS,other=abcdef". The key of the sample of GameSpy's SDK is built in.
func (c ServerBrowsing) secretOfRequest() string {
	for entry := range strings.SplitSeq(c.Secret, ",") {
		if game, key, ok := strings.Cut(entry, "="); !ok {
			return cmp.Or(game, sampleKey(c.Request.FromGame))
		} else if game == c.Request.FromGame {
			return key
		}
	}
	return sampleKey(c.Request.FromGame)
}

// sampleKey returns the key of the sample of GameSpy's SDK, "" if the game is another.
func sampleKey(game string) string {
	if game == Sample {
		return SampleKey
	}
	return ""
}
