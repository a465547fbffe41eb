package formats

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
)

// An httpMessage is a request or a response of HTTP/1.1 in a stream.
type httpMessage struct {
	Start   string   // the first line
	Headers []string // the lines after it
	Body    string   // with the sizes of chunks
}

// lineEnd ends each line of a head.
const lineEnd = "\r\n"

// AppendBinary appends the wire form.
func (m httpMessage) AppendBinary(b []byte) ([]byte, error) {
	b = append(append(b, m.Start...), lineEnd...)
	for _, h := range m.Headers {
		b = append(append(b, h...), lineEnd...)
	}
	b = append(b, lineEnd...)
	return append(b, m.Body...), nil
}

// An httpPart is a range of bytes of a message.
type httpPart struct {
	name       string
	start, end int
}

// An httpLayout holds the ranges of the parts of a message.
type httpLayout struct {
	head []httpPart // without gaps
	body []httpPart // the content, in one part or in chunks; between them are sizes
	size int        // of the message
}

// The limits of messages: our choice.
const (
	maxHTTPHead = 1 << 16
	maxHTTPBody = 32 << 20
)

// httpError returns an error at an offset in a message.
func httpError(kind error, field string, at int) error {
	return &lobbywire.Error{Proto: httpProto, Field: field, Offset: at, Err: kind}
}

// httpProto is the protocol in errors about heads and chunks.
const httpProto = "http"

// cutHTTPMessage cuts a message, which f reads.
func cutHTTPMessage(rest []byte, f Format) (size int, _ Format, err error) {
	_, layout, err := readHTTP(rest)
	return layout.size, f, err
}

// readHTTP finds the parts of the message that b starts with.
func readHTTP(b []byte) (m httpMessage, l httpLayout, err error) {
	if err := l.readHead(b, &m); err != nil {
		return httpMessage{}, httpLayout{}, err
	}
	at := l.size
	if err := l.readBody(b, m); err != nil {
		return httpMessage{}, httpLayout{}, err
	}
	m.Body = string(b[at:l.size])
	return m, l, nil
}

// readHead finds the lines of the head, up to the empty one.
func (l *httpLayout) readHead(b []byte, m *httpMessage) error {
	name := "start"
	for {
		at := l.size
		line, _, found := bytes.Cut(b[at:max(at, min(len(b), maxHTTPHead))], []byte(lineEnd))
		switch {
		case !found && len(b) >= maxHTTPHead:
			return httpError(lobbywire.ErrTooLarge, name, at)
		case bytes.ContainsFunc(line, func(c rune) bool { return c < ' ' && c != '\t' && c != '\r' }) ||
			at == 0 && !startsHTTP(line, found):
			return httpError(lobbywire.ErrInvalid, name, at)
		case !found:
			return httpError(lobbywire.ErrTruncated, name, at)
		case len(line) == 0:
			name = "headEnd"
		case at == 0:
			m.Start = string(line)
		default:
			m.Headers = append(m.Headers, string(line))
		}
		l.size += len(line) + len(lineEnd)
		l.head = append(l.head, httpPart{name, at, l.size})
		if len(line) == 0 {
			return nil
		}
		name = "headers[" + strconv.Itoa(len(m.Headers)) + "]"
	}
}

// readBody finds the body behind the head.
func (l *httpLayout) readBody(b []byte, m httpMessage) error {
	at, size := l.size, 0
	length := m.header("Content-Length")
	switch {
	case !m.hasBody():
		return nil
	case strings.EqualFold(m.header("Transfer-Encoding"), "chunked"):
		return l.readChunks(b)
	case length != "":
		n, err := strconv.Atoi(length)
		if err != nil || n < 0 {
			return httpError(lobbywire.ErrInvalid, "headers", l.head[0].end)
		}
		size = n
	case m.isAnswer(): // up to the end of the connection
		size = len(b) - at
	default:
		return nil
	}
	switch {
	case size > maxHTTPBody:
		return httpError(lobbywire.ErrTooLarge, "body", at)
	case size > len(b)-at:
		return httpError(lobbywire.ErrTruncated, "body", at)
	}
	l.size += size
	l.body = append(l.body, httpPart{"body", at, l.size})
	return nil
}

// startsHTTP reports whether a line, or its start, is the first one of a message.
func startsHTTP(line []byte, whole bool) bool {
	const version = "HTTP/1."
	method, rest, found := bytes.Cut(line, []byte{' '})
	if n := min(len(line), len(version)); string(line[:n]) == version[:n] {
		return true
	}
	if len(method) == 0 || len(method) > 16 || len(bytes.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")) > 0 {
		return false
	}
	return !whole || found && bytes.Contains(rest, []byte(" "+version))
}

// isAnswer reports whether m is an answer.
func (m httpMessage) isAnswer() bool { return strings.HasPrefix(m.Start, "HTTP/") }

// status returns the status of an answer, "" of a request.
func (m httpMessage) status() string {
	if words := strings.Fields(m.Start); m.isAnswer() && len(words) > 1 {
		return words[1]
	}
	return ""
}

// hasBody reports whether a message can have a body. An answer to HEAD has none, but
// no lobby gets such a request.
func (m httpMessage) hasBody() bool {
	status := m.status()
	return !strings.HasPrefix(status, "1") && status != "204" && status != "304"
}

// header returns the value of the first header of that name, or "".
func (m httpMessage) header(name string) string {
	for _, h := range m.Headers {
		key, value, _ := strings.Cut(h, ":")
		if strings.EqualFold(key, name) {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// readChunks finds the parts of a body in chunks.
func (l *httpLayout) readChunks(b []byte) error {
	total := 0
	for at := l.size; ; {
		line, _, found := bytes.Cut(b[at:min(len(b), at+maxHTTPHead)], []byte(lineEnd))
		if !found {
			return httpError(lobbywire.ErrTruncated, "chunk", at)
		}
		digits, _, _ := bytes.Cut(line, []byte{';'})
		n, err := strconv.ParseUint(strings.TrimSpace(string(digits)), 16, 31)
		start := at + len(line) + len(lineEnd)
		total += int(n)
		switch {
		case err != nil:
			return httpError(lobbywire.ErrInvalid, "chunk", at)
		case total > maxHTTPBody:
			return httpError(lobbywire.ErrTooLarge, "chunk", at)
		case n == 0:
			return l.readTrailer(b, start)
		case int(n)+len(lineEnd) > len(b)-start:
			return httpError(lobbywire.ErrTruncated, "chunk", at)
		}
		end := start + int(n)
		if string(b[end:end+len(lineEnd)]) != lineEnd {
			return httpError(lobbywire.ErrInvalid, "chunk", end)
		}
		l.body = append(l.body, httpPart{"body", start, end})
		at = end + len(lineEnd)
	}
}

// readTrailer finds the end of the headers after the last chunk.
func (l *httpLayout) readTrailer(b []byte, at int) error {
	for {
		line, _, found := bytes.Cut(b[at:min(len(b), at+maxHTTPHead)], []byte(lineEnd))
		if !found {
			return httpError(lobbywire.ErrTruncated, "trailer", at)
		}
		at += len(line) + len(lineEnd)
		if len(line) == 0 {
			l.size = at
			return nil
		}
	}
}

// content returns the body without the sizes of chunks.
func (l httpLayout) content(b []byte) []byte {
	var body []byte
	for _, p := range l.body {
		body = append(body, b[p.start:p.end]...)
	}
	return body
}

// offset returns the offset of byte i of the content in the message. The end of the
// content is behind its last byte.
func (l httpLayout) offset(i int) int {
	for k, p := range l.body {
		n := p.end - p.start
		if i < n || i == n && k == len(l.body)-1 {
			return p.start + i
		}
		i -= n
	}
	return l.size
}

// An httpBody explains the content of a message.
type httpBody func(m httpMessage, content []byte, o Options) lobbywire.Explanation

// parseHTTP reads one message. The function body checks the content.
func parseHTTP(b []byte, o Options, body httpBody) (httpMessage, error) {
	m, _, err := readHTTP(b)
	if err == nil {
		err = explainHTTP(b, o, body).Err
	}
	if err != nil {
		return httpMessage{}, err
	}
	return m, nil
}

// explainHTTP accounts for every byte of one message.
func explainHTTP(b []byte, o Options, body httpBody) lobbywire.Explanation {
	x := httpExplainer{b: b}
	m, l, err := readHTTP(b)
	if err != nil {
		x.Err = err
		if le := new(lobbywire.Error); errors.As(err, &le) && len(b) > 0 {
			x.add(le.Field, "", 0, len(b))
		}
		return x.Explanation
	}
	for _, p := range l.head {
		x.add(p.name, x.quoted(p.start, p.end), p.start, p.end)
	}
	content := l.content(b)
	inner := body(m, content, o)
	for _, f := range inner.Fields {
		start := l.offset(f.Offset)
		end := start
		if f.Length > 0 {
			end = l.offset(f.Offset+f.Length-1) + 1
		}
		x.add(f.Name, f.Value, max(start, x.at), max(end, x.at))
	}
	x.fill(l.size)
	if l.size < len(b) {
		x.add("message", "", l.size, len(b))
		x.Err = httpError(lobbywire.ErrTrailing, "", l.size)
	}
	if le := new(lobbywire.Error); errors.As(inner.Err, &le) {
		moved := *le
		if le.Proto != httpProto {
			moved.Offset = l.offset(min(le.Offset, len(content)))
		}
		if errors.Is(moved.Err, lobbywire.ErrTruncated) {
			moved.Err = lobbywire.ErrInvalid // the message is whole
		}
		x.Err = &moved
	}
	return x.Explanation
}

// An httpExplainer adds the fields of a message in order.
type httpExplainer struct {
	lobbywire.Explanation
	b  []byte
	at int // the end of the fields so far
}

// add adds a field, and the bytes between it and the field before.
func (x *httpExplainer) add(name, value string, start, end int) {
	x.fill(start)
	x.Fields = append(x.Fields, lobbywire.Field{Name: name, Offset: start, Length: end - start, Value: value})
	x.at = end
}

// fill adds the sizes and line ends of chunks up to an offset.
func (x *httpExplainer) fill(to int) {
	if x.at < to {
		x.Fields = append(x.Fields,
			lobbywire.Field{Name: "chunk", Offset: x.at, Length: to - x.at, Value: x.quoted(x.at, to)})
		x.at = to
	}
}

// quoted returns bytes of the message as text.
func (x *httpExplainer) quoted(start, end int) string {
	return strconv.QuoteToASCII(string(x.b[start:end]))
}
