// Package document reads what a user gives the page: packets and streams as bytes or in a text
// that package dump reads, and captures. It explains the messages in them.
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

// MaxMessages limits the messages of a capture that are listed. It is our choice.
const MaxMessages = 5000

// A File is a file, or a text, which has no name.
type File struct {
	Name string
	Data []byte
}

// A Document is the messages of some files.
type Document struct {
	Form     string // what the bytes were read as
	Messages []Message
	Left     []string // what is not explained, and why
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
// form is as in [input.Reader].
func Read(files []File, message, form string) (d Document, err error) {
	total := 0
	for _, f := range files {
		total += len(f.Data)
	}
	if total > input.Max {
		return d, fmt.Errorf("more than %d bytes", input.Max)
	}
	in := input.Reader{} // it limits the size of all files after decompression
	for _, f := range files {
		in.Form = form
		if err := d.read(&in, f, files, message); err != nil {
			return d, err
		}
	}
	return d, nil
}

// read adds the messages of a file, one of files.
func (d *Document) read(in *input.Reader, f File, files []File, message string) error {
	name := cmp.Or(f.Name, "text")
	var said strings.Builder
	in.Say = &said
	b, err := in.Unpack(name, f.Data)
	if err != nil {
		return err
	}
	defer func() { d.Form = strings.TrimSpace(said.String()) }()
	if capture.Is(b) && message == "" && in.Form == "" {
		packets, err := capture.Read(b)
		d.addCapture(packets)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	m := Message{Title: f.Name, options: formats.DefaultOptions()}
	candidates, err := m.applyHeader(b, files)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(candidates) > 0 && in.Form == "" {
		in.Form = dump.Hex
	} else if packets, ok, err := in.Packets(name, b); err != nil || ok && len(packets.Sent) > 1 {
		d.addCapture(packets)
		return err
	}
	said.Reset()
	if named, ok := formats.Named(message); ok {
		candidates = []formats.Format{named}
	} else if message != "" {
		return fmt.Errorf("no message %q", message)
	}
	var fits func(b []byte) bool
	if len(candidates) == 1 {
		fits = func(b []byte) bool { return explains(candidates[0], b, m.options) }
	}
	m.Data, err = in.Message(name, b, fits)
	if err != nil {
		return err
	}
	m.choose(candidates)
	d.Messages = append(d.Messages, m)
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

// choose selects the format of the message: the one among the candidates that explains it, or
// a guess if there are none.
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

// addCapture adds the messages of a capture.
func (d *Document) addCapture(file capture.File) {
	all, left := traffic.Read(file, "", formats.DefaultOptions())
	for _, r := range all[:min(len(all), MaxMessages)] {
		at := ""
		if !r.At.IsZero() {
			at = r.At.UTC().Format(time.TimeOnly+".000000") + " "
		}
		d.Messages = append(d.Messages, Message{
			Title: fmt.Sprintf("%s%v > %v", at, r.From, r.To), Format: r.Format.Name, Notes: r.Marks,
			Data: r.Data, format: r.Format, options: r.Options,
		})
	}
	if n := len(all) - MaxMessages; n > 0 {
		d.Left = append(d.Left, fmt.Sprintf("%d more messages are not listed", n))
	}
	d.Left = append(d.Left, left...)
}

// MaxFields limits the fields that are shown of a message. It is our choice.
const MaxFields = 5000

// Sections returns the explanation of the message: one section, or one for each message of a
// stream. The offsets of fields are those in Data. After MaxFields fields, the rest of the bytes
// is one field.
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
