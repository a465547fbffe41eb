package main

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
)

// An httpMessage is a request or an answer of HTTP/1.1 as it stands in a stream.
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

// An httpLayout is where the parts of a message are.
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
	return &lobbywire.Error{Proto: "http", Field: field, Offset: at, Err: kind}
}

// cutHTTPMessage cuts a message, which f reads.
func cutHTTPMessage(rest []byte, f format) (size int, _ format, err error) {
	_, layout, err := readHTTP(rest)
	return layout.size, f, err
}

// readHTTP finds the parts of the message that b starts with.
func readHTTP(b []byte) (m httpMessage, l httpLayout, err error) {
	at := 0
	for i := 0; ; i++ {
		line, _, found := bytes.Cut(b[at:min(len(b), maxHTTPHead)], []byte(lineEnd))
		name := "start"
		if i > 0 {
			name = "headers[" + strconv.Itoa(i-1) + "]"
		}
		switch {
		case !found && len(b) >= maxHTTPHead:
			return m, httpLayout{}, httpError(lobbywire.ErrTooLarge, name, at)
		case bytes.ContainsFunc(line, func(c rune) bool { return c < ' ' && c != '\t' && c != '\r' }) || i == 0 && !startsHTTP(line, found):
			return m, httpLayout{}, httpError(lobbywire.ErrInvalid, name, at)
		case !found:
			return m, httpLayout{}, httpError(lobbywire.ErrTruncated, name, at)
		}
		end := at + len(line) + len(lineEnd)
		if len(line) == 0 {
			l.head = append(l.head, httpPart{"headEnd", at, end})
			at = end
			break
		}
		if i == 0 {
			m.Start = string(line)
		} else {
			m.Headers = append(m.Headers, string(line))
		}
		l.head = append(l.head, httpPart{name, at, end})
		at = end
	}
	l.size = at
	switch {
	case !m.hasBody():
	case strings.EqualFold(m.header("Transfer-Encoding"), "chunked"):
		err = l.chunks(b)
	case m.header("Content-Length") != "":
		n, ok := strconv.Atoi(m.header("Content-Length"))
		switch {
		case ok != nil || n < 0:
			err = httpError(lobbywire.ErrInvalid, "headers", l.head[0].end)
		case n > maxHTTPBody:
			err = httpError(lobbywire.ErrTooLarge, "body", at)
		case n > len(b)-at:
			err = httpError(lobbywire.ErrTruncated, "body", at)
		default:
			l.body = append(l.body, httpPart{"body", at, at + n})
			l.size += n
		}
	case m.isAnswer(): // up to the end of the connection
		l.body = append(l.body, httpPart{"body", at, len(b)})
		l.size = len(b)
	}
	if err != nil {
		return m, httpLayout{}, err
	}
	m.Body = string(b[at:l.size])
	return m, l, nil
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

// chunks finds the parts of a body in chunks.
func (l *httpLayout) chunks(b []byte) error {
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
			return l.trailer(b, start)
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

// trailer goes to the end of the headers after the last chunk.
func (l *httpLayout) trailer(b []byte, at int) error {
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

// offset returns where the byte i of the content is in the message. The end of the
// content is behind its last byte.
func (l httpLayout) offset(i int) int {
	for k, p := range l.body {
		if n := p.end - p.start; i < n || i == n && k == len(l.body)-1 {
			return p.start + i
		} else {
			i -= n
		}
	}
	return l.size
}

type explanation = lobbywire.Explanation

// An httpBody explains the content of a message, and says which message it is.
type httpBody func(m httpMessage, content []byte, o options) explanation

// parseHTTP reads one message, the content of which body reads.
func parseHTTP(b []byte, o options, body httpBody) (httpMessage, error) {
	m, _, err := readHTTP(b)
	if err != nil {
		return httpMessage{}, err
	}
	if e := explainHTTP(b, o, body); e.Err != nil {
		return httpMessage{}, e.Err
	}
	return m, nil
}

// explainHTTP accounts for every byte of one message.
func explainHTTP(b []byte, o options, body httpBody) explanation {
	e := explanation{Proto: "http", Message: "Message"}
	m, l, err := readHTTP(b)
	if err != nil {
		e.Err = err
		field, at := "message", 0
		if le := new(lobbywire.Error); errors.As(err, &le) {
			field = le.Field
		}
		if len(b) > at {
			e.Fields = []lobbywire.Field{{Name: field, Offset: at, Length: len(b) - at}}
		}
		return e
	}
	at := 0
	add := func(name, value string, start, end int) {
		if at < start {
			e.Fields = append(e.Fields, lobbywire.Field{Name: "chunk", Offset: at, Length: start - at, Value: strconv.QuoteToASCII(string(b[at:start]))})
		}
		e.Fields = append(e.Fields, lobbywire.Field{Name: name, Offset: start, Length: end - start, Value: value})
		at = end
	}
	for _, p := range l.head {
		add(p.name, strconv.QuoteToASCII(string(b[p.start:p.end])), p.start, p.end)
	}
	content := l.content(b)
	inner := body(m, content, o)
	for _, f := range inner.Fields {
		start := l.offset(f.Offset)
		end := start
		if f.Length > 0 {
			end = l.offset(f.Offset+f.Length-1) + 1
		}
		add(f.Name, f.Value, max(start, at), max(end, at))
	}
	if at < l.size {
		add("chunk", strconv.QuoteToASCII(string(b[at:l.size])), at, l.size)
	}
	if at < len(b) {
		add("message", "", at, len(b))
		e.Err = httpError(lobbywire.ErrTrailing, "", l.size)
	}
	if le := new(lobbywire.Error); errors.As(inner.Err, &le) {
		if le.Proto == e.Proto { // of the head
			e.Err = le
			return e
		}
		moved := *le
		moved.Offset = l.offset(min(le.Offset, len(content)))
		if errors.Is(moved.Err, lobbywire.ErrTruncated) {
			moved.Err = lobbywire.ErrInvalid // the message is whole
		}
		e.Err = &moved
	}
	return e
}
