package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"time"
)

// Types of pcapng blocks.
const (
	blockSection        = 0x0a0d0d0a
	blockInterface      = 1
	blockPacket         = 2 // obsolete
	blockSimplePacket   = 3
	blockEnhancedPacket = 6
)

// Sizes in pcapng files.
const (
	blockHeader  = 8
	blockTrailer = 4
	optionHeader = 4
)

// A pcapngFile is read from blocks:
//
//	offset  size  block
//	0       4     type
//	4       4     size of the block, a multiple of 4
//	8       n     body
//	8+n     4     size again
//
// A section header gives the byte order of the blocks that follow it, up to the
// next one, and starts a new list of interfaces. Blocks without packets are
// skipped.
type pcapngFile struct {
	rest  []byte
	at    int // offset of rest in the file
	order binary.ByteOrder
	faces []face
}

// A face is an interface of a section.
type face struct {
	link linkType
	snap uint32 // 0 means no limit
	unit timeUnit
	off  int64 // seconds that are added to times
}

// A timeUnit is the resolution of times: so many parts of a second, or so many
// bits for the parts.
type timeUnit struct {
	parts uint64 // 0 if bits count
	bits  uint
}

func isPCAPNG(b []byte) bool { return bytes.HasPrefix(b, []byte{0x0a, 0x0d, 0x0d, 0x0a}) }

func (f *pcapngFile) next() (record, error) {
	for {
		if len(f.rest) == 0 {
			return record{}, io.EOF
		}
		kind, body, err := f.block()
		if err != nil {
			return record{}, fmt.Errorf("block at byte %d: %w", f.at, err)
		}
		at := f.at
		f.at += blockHeader + len(body) + blockTrailer
		switch kind {
		case blockSection:
			err = f.section(body)
		case blockInterface:
			err = f.face(body)
		case blockEnhancedPacket, blockPacket:
			return f.packet(kind, body), nil
		case blockSimplePacket:
			return f.simplePacket(body), nil
		}
		if err != nil {
			return record{}, fmt.Errorf("block at byte %d: %w", at, err)
		}
	}
}

// block cuts the next block off the file.
func (f *pcapngFile) block() (kind uint32, body []byte, err error) {
	const least = blockHeader + blockTrailer
	if len(f.rest) < least {
		return 0, nil, io.ErrUnexpectedEOF
	}
	if isPCAPNG(f.rest) {
		f.order = orderOf([4]byte(f.rest[8:12]))
		if f.order == nil {
			return 0, nil, errors.New("unknown byte order")
		}
	}
	kind = f.order.Uint32(f.rest)
	size := f.order.Uint32(f.rest[4:])
	switch {
	case size < least || size%4 != 0:
		return 0, nil, fmt.Errorf("size %d is not possible", size)
	case uint64(size) > uint64(len(f.rest)):
		return 0, nil, fmt.Errorf("it has %d bytes, the file %d more: %w", size, len(f.rest), io.ErrUnexpectedEOF)
	case f.order.Uint32(f.rest[size-blockTrailer:]) != size:
		return 0, nil, errors.New("its two sizes differ")
	}
	body = f.rest[blockHeader : size-blockTrailer]
	f.rest = f.rest[size:]
	return kind, body, nil
}

// orderOf returns the byte order that the magic of a section header gives.
func orderOf(magic [4]byte) binary.ByteOrder {
	switch magic {
	case [4]byte{0x1a, 0x2b, 0x3c, 0x4d}:
		return binary.BigEndian
	case [4]byte{0x4d, 0x3c, 0x2b, 0x1a}:
		return binary.LittleEndian
	}
	return nil
}

// section reads a section header, behind the magic: version 1.0 and a size that
// is not used.
func (f *pcapngFile) section(body []byte) error {
	if len(body) < 16 {
		return io.ErrUnexpectedEOF
	}
	if major := f.order.Uint16(body[4:]); major != 1 {
		return fmt.Errorf("pcapng version %d is not supported, only 1", major)
	}
	f.faces = nil
	return nil
}

// Options of an interface.
const (
	optionEnd        = 0
	optionResolution = 9  // of times: a power of ten, or of two with the top bit
	optionTimeOffset = 14 // in seconds
)

// face reads an interface: link type, two unused bytes, snap length, options.
func (f *pcapngFile) face(body []byte) error {
	if len(body) < 8 {
		return io.ErrUnexpectedEOF
	}
	n := face{
		link: linkType(f.order.Uint16(body)),
		snap: f.order.Uint32(body[4:]),
		unit: timeUnit{parts: 1e6},
	}
	for rest := body[8:]; len(rest) >= optionHeader; {
		code, size := f.order.Uint16(rest), int(f.order.Uint16(rest[2:]))
		rest = rest[optionHeader:]
		if code == optionEnd {
			break
		}
		padded := size + -size&3
		if padded > len(rest) {
			return fmt.Errorf("option %d: %w", code, io.ErrUnexpectedEOF)
		}
		value := rest[:size]
		rest = rest[padded:]
		switch {
		case code == optionResolution && size >= 1:
			var ok bool
			n.unit, ok = unitOf(value[0])
			if !ok {
				return fmt.Errorf("resolution %#x of times is not supported", value[0])
			}
		case code == optionTimeOffset && size >= 8:
			n.off = int64(f.order.Uint64(value))
		}
	}
	f.faces = append(f.faces, n)
	return nil
}

// unitOf returns the unit that an option gives.
func unitOf(v byte) (timeUnit, bool) {
	const binaryUnit = 0x80
	if v&binaryUnit != 0 {
		n := uint(v &^ binaryUnit)
		return timeUnit{bits: n}, n < 64
	}
	u := timeUnit{parts: 1}
	for range v {
		high, low := bits.Mul64(u.parts, 10)
		if high != 0 {
			return timeUnit{}, false
		}
		u.parts = low
	}
	return u, true
}

// time returns the time that a packet gives as a count of units since 1970.
func (n face) time(count uint64) time.Time {
	if n.unit.parts == 0 {
		sec, part := count>>n.unit.bits, count&(1<<n.unit.bits-1)
		nano, _ := bits.Mul64(part<<(64-n.unit.bits), 1e9)
		return time.Unix(int64(sec)+n.off, int64(nano)).UTC()
	}
	sec, part := count/n.unit.parts, count%n.unit.parts
	high, low := bits.Mul64(part, 1e9) // part is below parts, so high is too
	nano, _ := bits.Div64(high, low, n.unit.parts)
	return time.Unix(int64(sec)+n.off, int64(nano)).UTC()
}

// packet reads a packet with a header of 20 bytes:
//
//	offset  size  enhanced packet
//	0       4     number of the interface; 2 bytes and 2 unused ones if obsolete
//	4       4     time, upper half
//	8       4     time, lower half
//	12      4     size of the data
//	16      4     size of the packet when it was sent
//	20      n     data, then options
func (f *pcapngFile) packet(kind uint32, body []byte) record {
	const header = 20
	if len(body) < header {
		return record{broken: true}
	}
	number := f.order.Uint32(body)
	if kind == blockPacket {
		number = uint32(f.order.Uint16(body))
	}
	if uint64(number) >= uint64(len(f.faces)) {
		return record{broken: true}
	}
	n := f.faces[number]
	count := uint64(f.order.Uint32(body[4:]))<<32 | uint64(f.order.Uint32(body[8:]))
	kept, size := f.order.Uint32(body[12:]), f.order.Uint32(body[16:])
	data := body[header:]
	if uint64(kept) > uint64(len(data)) {
		return record{broken: true}
	}
	return record{at: n.time(count), link: n.link, size: max(bounded(size), int(kept)), data: data[:kept:kept]}
}

// simplePacket reads a packet of the first interface, without a time: the size
// of the packet, 4 bytes, then data.
func (f *pcapngFile) simplePacket(body []byte) record {
	if len(body) < 4 || len(f.faces) == 0 {
		return record{broken: true}
	}
	n := f.faces[0]
	size := bounded(f.order.Uint32(body))
	kept := size
	if n.snap != 0 {
		kept = min(kept, bounded(n.snap))
	}
	data := body[4:]
	kept = min(kept, len(data)) // a block can be shorter than the snap length
	return record{link: n.link, size: size, data: data[:kept:kept]}
}
