// Package document reads the input of a user: packets and streams as bytes or in a text that
// package dump reads, and captures. It explains the messages in them.
package document

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/dump"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/examples/internal/input"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/hexfile"
)

// MaxMessages limits the messages that are listed. It is our choice.
const MaxMessages = 5000

// A File is a file, or a text, which has no name.
type File struct {
	Name string
	Data []byte
}

// A Document is the messages of some files.
type Document struct {
	Form     string // the form in which the bytes were read
	Messages []Message
	Left     []string // unexplained packets, with reasons
}

// A Message is a packet, or a direction of a stream.
type Message struct {
	Title  string
	Format string   // the name of the format, "" if none explains it
	Or     []string // names of other formats that explain it as well
	Notes  []string
	Data   []byte

	format  formats.Format
	options formats.Options
}

// Read reads files. If message is not empty, it is the name of the format of all messages.
// form is as in [input.Reader]. While it reads a capture, it calls progress after each step of all.
func Read(files []File, message, form string, progress func(done, all int)) (d Document, err error) {
	total := 0
	for _, f := range files {
		total += len(f.Data)
	}
	if total > input.Max {
		return d, fmt.Errorf("more than %d bytes", input.Max)
	}
	r := reader{files: files, message: message, progress: progress}
	for _, f := range files {
		r.in.Form = form
		if err = r.read(f); err != nil {
			break
		}
	}
	if n := r.found - len(r.Messages); n > 0 {
		r.Left = slices.Insert(r.Left, 0, fmt.Sprintf("%d more messages are not listed", n))
	}
	return r.Document, err
}

// A reader reads files into a document.
type reader struct {
	Document
	files    []File
	message  string
	progress func(done, all int)

	in    input.Reader // it limits the size of all files after decompression
	found int          // messages, listed or not
}

// read adds the messages of a file.
func (r *reader) read(f File) error {
	name := cmp.Or(f.Name, "text")
	var said strings.Builder
	r.in.Say = &said
	b, err := r.in.Unpack(name, f.Data)
	if err != nil {
		return err
	}
	defer func() { r.Form = strings.TrimSpace(said.String()) }()
	if capture.Is(b) && r.message == "" && r.in.Form == "" {
		packets, err := capture.Read(b)
		r.addCapture(packets)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	m := Message{Title: f.Name, options: formats.DefaultOptions()}
	candidates, err := m.applyHeader(b, r.files)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(candidates) > 0 && r.in.Form == "" {
		r.in.Form = dump.Hex
	} else if packets, ok, err := r.in.Packets(name, b); err != nil || ok && len(packets.Sent) > 1 {
		r.addCapture(packets)
		return err
	}
	said.Reset()
	if named, ok := formats.Named(r.message); ok {
		candidates = []formats.Format{named}
	} else if r.message != "" {
		return fmt.Errorf("no message %q", r.message)
	}
	var fits func(b []byte) bool
	if len(candidates) == 1 {
		fits = func(b []byte) bool { return explains(candidates[0], b, m.options) }
	}
	m.Data, err = r.in.Message(name, b, fits)
	if err != nil {
		return err
	}
	m.choose(candidates)
	r.add(m)
	return nil
}

// applyHeader takes the options from the header of a file in hexadecimal, and returns the
// formats that it may mean. The file of the request to which the message is an answer may be
// among files.
func (m *Message) applyHeader(b []byte, files []File) ([]formats.Format, error) {
	header, _, err := hexfile.Parse(string(b))
	if err != nil {
		return nil, nil // another form
	}
	for _, key := range formats.HeaderKeys {
		if value := header[key]; value != "" {
			if err := m.options.Set(key, value); err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
		}
	}
	for _, f := range files {
		if name := header["Request"]; name == "" || path.Base(f.Name) != name+".hex" {
			continue
		}
		if _, request, err := hexfile.Parse(string(f.Data)); err == nil {
			// Without the request, the answer stays encrypted.
			m.options.ServerBrowsing.Request, _ = sb2.ParseListRequest(request)
		}
	}
	if header["Message"] == "" {
		return nil, nil
	}
	return formats.Meant(header["Message"], "", header["Proposal"]), nil
}

// choose selects the format of the message: the candidate that explains it, or a guess if
// there are no candidates.
func (m *Message) choose(candidates []formats.Format) {
	if len(candidates) == 0 {
		c := traffic.Choose(m.Data, m.options)
		m.format, m.options, m.Format, m.Or = c.Format, c.Options, c.Name, c.Or
		if c.Doubt != "" {
			m.Notes = append(m.Notes, c.Doubt)
		}
		return
	}
	m.format = candidates[0]
	if len(candidates) > 1 {
		guesses := traffic.GuessFormat(m.Data, m.options)
		i := slices.IndexFunc(guesses, func(g traffic.Guess) bool {
			return slices.ContainsFunc(candidates, func(f formats.Format) bool { return f.Name == g.Name })
		})
		if i >= 0 {
			m.format, m.options = guesses[i].Format, guesses[i].Options
		}
	}
	m.Format = m.format.Name
}

// explains reports whether a format explains all bytes.
func explains(f formats.Format, b []byte, o formats.Options) bool {
	return f.Sections(b, o, func(s formats.Section) error { return s.Err }) == nil
}

// add lists a message, if there is room.
func (r *reader) add(m Message) {
	r.found++
	if len(r.Messages) < MaxMessages {
		r.Messages = append(r.Messages, m)
	}
}

// addCapture adds the messages of a capture.
func (r *reader) addCapture(file capture.File) {
	room := MaxMessages - len(r.Messages)
	first, count, left := traffic.Read(file, "", formats.DefaultOptions(), room, r.progress)
	for _, m := range first {
		at := ""
		if !m.At.IsZero() {
			at = m.At.UTC().Format(time.TimeOnly+".000000") + " "
		}
		r.add(Message{
			Title: fmt.Sprintf("%s%v > %v", at, m.From, m.To), Format: m.Format.Name, Notes: m.Marks,
			Data: m.Data, format: m.Format, options: m.Options,
		})
	}
	r.found += count - len(first)
	r.Left = append(r.Left, left...)
}

// Limits of what is shown of a message. They are our choice.
const (
	MaxFields = 5000
	MaxBytes  = 1 << 14 // also of a value
)

// Sections returns the explanation of the message: one section, or one for each message of a
// stream. The offsets of fields are offsets in Data. After MaxFields fields, the rest of the
// bytes is one field.
func (m Message) Sections() (all []formats.Section) {
	if m.format.Codec == nil {
		return []formats.Section{m.rest("unknown", 0)}
	}
	fields, end := 0, 0
	err := m.format.Sections(m.Data, m.options, func(s formats.Section) error {
		end = s.Offset + s.Length
		fields += len(s.Fields)
		if over := fields - MaxFields; over > 0 {
			s.Fields = s.Fields[:len(s.Fields)-over]
			if n := len(s.Fields); n > 0 {
				end = s.Fields[n-1].Offset + s.Fields[n-1].Length
			} else {
				end = s.Offset
			}
			all = append(all, s)
			return errTooMany
		}
		all = append(all, s)
		return nil
	})
	if err == errTooMany {
		all = append(all, m.rest("not shown", end))
	}
	return all
}

// errTooMany ends the explanation of a message with more than MaxFields fields.
var errTooMany = errors.New("too many fields")

// rest returns a section with the bytes from an offset as one field.
func (m Message) rest(name string, from int) formats.Section {
	n := len(m.Data) - from
	s := formats.Section{Offset: from, Length: n}
	s.Fields = []lobbywire.Field{{Name: name, Offset: from, Length: n}}
	return s
}

// Header returns the header of a hexadecimal file that is read as this message.
func (m Message) Header() string {
	if m.Format == "" {
		return ""
	}
	header := "# Message: " + m.Format + "\n"
	for _, key := range formats.HeaderKeys {
		if value := m.options.Get(key); value != "" {
			header += "# " + key + ": " + value + "\n"
		}
	}
	return header
}
