package formats

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// wzhttpRequest explains the body of a request to a lobby.
func wzhttpRequest(m httpMessage, content []byte, o Options) lobbywire.Explanation {
	words := strings.Fields(m.Start)
	if len(words) < 2 {
		return unsupported(content)
	}
	path, _, _ := strings.Cut(words[1], "?")
	switch e, _, _ := wzhttp.EndpointOf(words[0], path); e {
	case wzhttp.EndpointList, wzhttp.EndpointDelete:
		return opaque(content)
	case wzhttp.EndpointCreate:
		return wzhttpBody("wzhttp.Create", content, o)
	case wzhttp.EndpointConnection:
		return wzhttpBody("wzhttp.Connection", content, o)
	case wzhttp.EndpointPatch:
		return wzhttpBody("wzhttp.Patch", content, o)
	case wzhttp.EndpointJoinCheck:
		return wzhttpBody("wzhttp.JoinCheck", content, o)
	case wzhttp.EndpointJoin:
		return wzhttpBody("wzhttp.JoinRequest", content, o)
	}
	return unsupported(content)
}

// unsupported shows the body of a message that does not belong to the protocol.
func unsupported(content []byte) lobbywire.Explanation {
	e := opaque(content)
	e.Err = httpError(lobbywire.ErrUnsupported, "start", 0)
	return e
}

// answerMembers are members that occur in only one answer.
var answerMembers = [...]struct{ member, message string }{
	{"hostToken", "wzhttp.Created"},
	{"published", "wzhttp.Status"},
	{"joinToken", "wzhttp.JoinReply"},
	{"pass", "wzhttp.Verdict"},
	{"code", "wzhttp.Error"},
}

// wzhttpAnswer explains the body of an answer of a lobby. The request is not known
// here, so the members of the body determine its type. Other bodies, such as the page
// of a proxy, are shown unchanged.
func wzhttpAnswer(m httpMessage, content []byte, o Options) lobbywire.Explanation {
	if !m.isAnswer() {
		return unsupported(content)
	}
	if coding := m.header("Content-Encoding"); coding != "" && coding != "identity" {
		return opaque(content)
	}
	line, _, _ := bytes.Cut(content, []byte{'\n'})
	members, ok := membersOfObject(content)
	if !ok {
		members, ok = membersOfObject(line)
	}
	if !ok {
		return opaque(content)
	}
	for _, a := range answerMembers {
		if members[a.member] != nil {
			return wzhttpBody(a.message, content, o)
		}
	}
	if members["netv"] != nil || members["motd"] != nil {
		return explainList(content, o)
	}
	return opaque(content)
}

// membersOfObject returns the members of a JSON text, and whether it is an object.
func membersOfObject(text []byte) (members map[string]json.RawMessage, ok bool) {
	r := wire.NewReader(text)
	j := wirejson.NewLooseReader(&r)
	o := j.Object(nil, 0, &members)
	for o.Next() {
	}
	j.End()
	return members, !r.Failed()
}

// wzhttpBody explains a body as a message.
func wzhttpBody(name string, content []byte, o Options) lobbywire.Explanation {
	f, _ := Find(wzhttpMessages(), name)
	c := f.Codec.(Member)
	e := c.Explanation(content, o)
	if e.Err == nil {
		_, e.Err = c.Kind(name, content, o) // checks o.strict
	}
	return e
}

// opaque shows a body unchanged.
func opaque(content []byte) lobbywire.Explanation {
	if len(content) == 0 {
		return lobbywire.Explanation{}
	}
	return lobbywire.Explanation{Fields: []lobbywire.Field{{Name: "body", Length: len(content),
		Value: strconv.QuoteToASCII(string(content))}}}
}

// explainList explains a list. The error is about the first broken line.
func explainList(content []byte, o Options) (all lobbywire.Explanation) {
	for at, i := 0, 0; at < len(content); i++ {
		size, _, _ := cutLine(content[at:], nil)
		line := wzhttpBody(lineName(content[at:at+size]), content[at:at+size], o)
		for _, f := range line.Fields {
			f.Name = "lines[" + strconv.Itoa(i) + "]." + f.Name
			f.Offset += at
			all.Fields = append(all.Fields, f)
		}
		all.Err = cmp.Or(all.Err, shifted(line.Err, at))
		at += size
	}
	return all
}
