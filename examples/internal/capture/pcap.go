package capture

import (
	"encoding/binary"
	"fmt"
	"io"
	"time"
)

// Sizes in pcap files.
const (
	pcapHeader   = 24
	recordHeader = 16
)

// A pcapFile is read from a header and one record per packet:
//
//	offset  size  header
//	0       4     magic, which gives the byte order and the unit of times
//	4       2     major version, 2
//	6       2     minor version, 4
//	8       8     not used
//	16      4     snap length
//	20      4     link type, in the lower 16 bits
//
//	offset  size  record
//	0       4     seconds since 1970
//	4       4     microseconds or nanoseconds
//	8       4     size of the data
//	12      4     size of the packet when it was sent
//	16      n     data
type pcapFile struct {
	form pcapForm
	link linkType
	rest []byte
	at   int // offset of rest in the file
}

// A pcapForm is the form that the magic of a pcap file defines.
type pcapForm struct {
	order binary.ByteOrder
	unit  time.Duration // of the second part of times
}

func pcapMagic(b [4]byte) (pcapForm, bool) {
	switch b {
	case [4]byte{0xa1, 0xb2, 0xc3, 0xd4}:
		return pcapForm{binary.BigEndian, time.Microsecond}, true
	case [4]byte{0xd4, 0xc3, 0xb2, 0xa1}:
		return pcapForm{binary.LittleEndian, time.Microsecond}, true
	case [4]byte{0xa1, 0xb2, 0x3c, 0x4d}:
		return pcapForm{binary.BigEndian, time.Nanosecond}, true
	case [4]byte{0x4d, 0x3c, 0xb2, 0xa1}:
		return pcapForm{binary.LittleEndian, time.Nanosecond}, true
	}
	return pcapForm{}, false
}

func openPCAP(b []byte) (*pcapFile, error) {
	if len(b) < pcapHeader {
		return nil, fmt.Errorf("pcap header: %w", io.ErrUnexpectedEOF)
	}
	form, ok := pcapMagic([4]byte(b[:4]))
	if !ok {
		return nil, fmt.Errorf("neither pcap nor pcapng")
	}
	major, minor := form.order.Uint16(b[4:]), form.order.Uint16(b[6:])
	if major != 2 || minor != 4 {
		return nil, fmt.Errorf("pcap version %d.%d is not supported, only 2.4", major, minor)
	}
	link := linkType(form.order.Uint32(b[20:])) // the upper bits describe a trailer
	return &pcapFile{form, link, b[pcapHeader:], pcapHeader}, nil
}

func (f *pcapFile) next() (record, error) {
	if len(f.rest) == 0 {
		return record{}, io.EOF
	}
	if len(f.rest) < recordHeader {
		return record{}, fmt.Errorf("header at byte %d: %w", f.at, io.ErrUnexpectedEOF)
	}
	order, h := f.form.order, f.rest
	sec, part := order.Uint32(h), order.Uint32(h[4:])
	kept, size := order.Uint32(h[8:]), order.Uint32(h[12:])
	data := h[recordHeader:]
	if uint64(kept) > uint64(len(data)) {
		return record{}, fmt.Errorf("data at byte %d has %d bytes, the file %d more: %w",
			f.at+recordHeader, kept, len(data), io.ErrUnexpectedEOF)
	}
	f.rest = data[kept:]
	f.at += recordHeader + int(kept)
	return record{
		at:   time.Unix(int64(sec), int64(part)*int64(f.form.unit)).UTC(),
		link: f.link,
		size: max(bounded(size), int(kept)),
		data: data[:kept:kept],
	}, nil
}

// bounded converts a size in a file to an int, on any platform.
func bounded(size uint32) int { return int(min(size, 1<<30)) }
