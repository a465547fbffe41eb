package data

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lobbywire/lobbywire/examples/internal/atomicfile"
	"github.com/lobbywire/lobbywire/examples/internal/regular"
)

// A journal is the file of a list. One goroutine uses it at a time.
type journal struct {
	path   string
	format string   // the first line
	file   *os.File // nil until it is first written
	size   int64    // of the complete lines
	live   int64    // of the lines that count
	aside  bool     // the file has been set aside, or must be, so that another has to be made
}

// A span is the place of a line in the file.
type span struct {
	at   int64
	size int
}

// errDamaged means that a file has lines that cannot be read; errFormat that it is no
// journal of this format.
var (
	errDamaged = errors.New("some lines are damaged")
	errFormat  = errors.New("it has another format")
)

// read opens the file and calls each with every line. Without a file, it does nothing.
func (j *journal) read(each func(r record, at span)) error {
	f, err := regular.Open(j.path, os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	j.file = f
	in := bufio.NewReaderSize(f, maxLine)
	first, err := in.ReadSlice('\n')
	switch {
	case err != nil && err != io.EOF && !errors.Is(err, bufio.ErrBufferFull):
		return err
	case string(first) != j.format:
		return errFormat
	}
	j.size = int64(len(first))
	damaged := false
	for {
		line, err := in.ReadSlice('\n')
		switch {
		case err == io.EOF:
			if damaged {
				return errDamaged
			}
			return nil // what is left of a line is the trace of a crash
		case errors.Is(err, bufio.ErrBufferFull):
			damaged = true
		case err != nil:
			return err
		default:
			r, ok := parseLine(line)
			if ok {
				each(r, span{j.size, len(line)})
			}
			damaged = damaged || !ok
		}
		j.size += int64(len(line))
	}
}

// bad is the suffix of files that are set aside.
const bad = ".bad"

// setAside renames a file that cannot be read, and returns the new name. The next write
// makes another file.
func (j *journal) setAside() (string, error) {
	j.aside = true
	return j.path + bad, os.Rename(j.path, j.path+bad)
}

// clean removes what a crash has left of an attempt to replace the file.
func (j *journal) clean() {
	left, _ := filepath.Glob(j.path + ".*")
	for _, file := range left {
		if file != j.path+bad {
			os.Remove(file) // or stays, and does no harm
		}
	}
}

// write appends lines. If it fails, the next write takes their place.
func (j *journal) write(lines []byte) error {
	if _, err := j.file.WriteAt(lines, j.size); err != nil {
		return errors.Join(err, j.file.Truncate(j.size))
	}
	j.size += int64(len(lines))
	return nil
}

// A journal is replaced by a shorter one once it is this long and half of it is out of date.
const longJournal = 256 << 10

func (j *journal) isLong() bool { return j.size > max(longJournal, 2*j.live) }

// replace replaces the file by one that has only the given lines. It calls moved with the
// new place of each once that is done.
func (j *journal) replace(lines []span, moved func(i int, to span)) error {
	next, err := atomicfile.Replace(j.path, fileMode)
	if err != nil {
		return err
	}
	size, err := j.copyTo(next, lines)
	if err != nil {
		return errors.Join(err, next.Discard())
	}
	if j.file != nil {
		j.file.Close() // before it is replaced, which some systems require; it was only read
		j.file = nil
	}
	if err := next.Commit(); err != nil {
		return errors.Join(err, j.reopen())
	}
	to := int64(len(j.format))
	for i, line := range lines {
		moved(i, span{to, line.size})
		to += int64(line.size)
	}
	j.size, j.live, j.aside = size, size, false
	return j.reopen()
}

func (j *journal) reopen() (err error) {
	j.file, err = regular.Open(j.path, os.O_RDWR)
	if err != nil {
		j.file = nil
	}
	return err
}

func (j *journal) copyTo(to io.Writer, lines []span) (size int64, err error) {
	out := bufio.NewWriterSize(to, maxLine)
	if _, err := out.WriteString(j.format); err != nil {
		return 0, err
	}
	size = int64(len(j.format))
	line := make([]byte, maxLine)
	for _, l := range lines {
		if _, err := j.file.ReadAt(line[:l.size], l.at); err != nil {
			return 0, fmt.Errorf("%s: %w", j.path, err)
		}
		if _, err := out.Write(line[:l.size]); err != nil {
			return 0, err
		}
		size += int64(l.size)
	}
	return size, out.Flush()
}

func (j *journal) close() error {
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}
