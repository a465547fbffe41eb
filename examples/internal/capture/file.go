package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// A Frame is a packet of a file, with the header of the link.
type Frame struct {
	gopacket.CaptureInfo        // its Timestamp is zero if the file lacks it
	Data                 []byte // the captured part
	Interface            pcapgo.NgInterface
	Options              pcapgo.NgPacketOptions

	section int // of the file; each has its own interfaces
}

// A Reader reads the frames of a pcap or pcapng file one by one, also from a pipe.
type Reader struct {
	pcap    *pcapgo.Reader
	pcapng  *pcapgo.NgReader
	section int
	packets int
}

// magicPCAPNG starts pcapng files.
const magicPCAPNG = 0x0a0d0d0a

// Is reports whether b starts like a file of captured packets.
func Is(b []byte) bool {
	if len(b) < 4 {
		return false
	}
	switch binary.BigEndian.Uint32(b) {
	case magicPCAPNG, 0xa1b2c3d4, 0xd4c3b2a1, 0xa1b23c4d, 0x4d3cb2a1:
		return true
	}
	return false
}

// NewReader reads the header of a file.
func NewReader(file io.Reader) (*Reader, error) {
	start := make([]byte, 4)
	n, err := io.ReadFull(file, start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	if !Is(start[:n]) {
		return nil, errors.New("neither pcap nor pcapng")
	}
	file = io.MultiReader(bytes.NewReader(start), file)
	r := new(Reader)
	if binary.BigEndian.Uint32(start) == magicPCAPNG {
		r.pcapng, err = pcapgo.NewNgReader(file, pcapgo.NgReaderOptions{
			WantMixedLinkType:  true,
			SectionEndCallback: func([]pcapgo.NgInterface, pcapgo.NgSectionInfo) { r.section++ },
		})
	} else {
		r.pcap, err = pcapgo.NewReader(file)
	}
	if err != nil {
		return nil, told("the header", err)
	}
	return r, nil
}

// Next returns the next frame, and io.EOF after the last one. Nothing can be read after
// another error.
func (r *Reader) Next() (f Frame, err error) {
	if r.pcapng != nil {
		f.Data, f.CaptureInfo, f.Options, err = r.pcapng.ReadPacketDataWithOptions()
		if err == nil {
			f.Interface, err = r.pcapng.Interface(f.InterfaceIndex)
		}
		f.section = r.section
	} else {
		f.Data, f.CaptureInfo, err = r.pcap.ReadPacketData()
		f.Interface = pcapgo.NgInterface{LinkType: r.pcap.LinkType(), SnapLength: r.pcap.Snaplen()}
		if err == io.EOF && f.CaptureLength > 0 { // behind the header of a packet
			err = io.ErrUnexpectedEOF
		}
	}
	if err == io.EOF {
		return Frame{}, err
	}
	r.packets++
	if err != nil {
		return Frame{}, told(fmt.Sprintf("packet %d", r.packets), err)
	}
	f.Length = max(f.Length, f.CaptureLength)
	return f, nil
}

// told converts an error of pcapgo about a part of a file.
func told(part string, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the file ends within %s", part)
	}
	text := err.Error()
	return fmt.Errorf("%s: %s, so that the rest cannot be read", part, strings.ToLower(text[:1])+text[1:])
}

// A Writer writes frames to a pcapng file. It keeps the interfaces of a Reader, but no
// statistics, names and secrets.
type Writer struct {
	to    io.Writer
	file  *pcapgo.NgWriter
	faces map[face]int // their numbers in the file
}

// A face identifies an interface of a file.
type face struct{ section, index int }

// NewWriter returns a Writer to a file.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to, faces: make(map[face]int)} }

// Write writes a frame.
func (w *Writer) Write(f Frame) (err error) {
	from := face{f.section, f.InterfaceIndex}
	index, known := w.faces[from]
	switch {
	case w.file == nil:
		w.file, err = pcapgo.NewNgWriterInterface(w.to, f.Interface, pcapgo.NgWriterOptions{})
	case !known:
		index, err = w.file.AddInterface(f.Interface)
	}
	if err != nil {
		return err
	}
	w.faces[from] = index
	f.InterfaceIndex = index
	if f.Timestamp.IsZero() {
		f.Timestamp = time.Unix(0, 0) // the format cannot express an unknown time
	}
	return w.file.WritePacketWithOptions(f.CaptureInfo, f.Data, f.Options)
}

// Flush writes the buffered data. A file without frames has an interface, too.
func (w *Writer) Flush() (err error) {
	if w.file == nil {
		w.file, err = pcapgo.NewNgWriter(w.to, layers.LinkTypeEthernet)
	}
	if err != nil {
		return err
	}
	return w.file.Flush()
}
