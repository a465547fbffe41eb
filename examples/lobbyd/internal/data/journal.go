package data

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lobbywire/lobbywire/examples/internal/files"
)

// A journal is the file of a list. One goroutine uses it at a time.
type journal struct {
	path   string
	format string   // the first line
	file   *os.File // nil until it is first written
	size   int64    // of the complete lines
	live   int64    // of the lines that count
	aside  bool     // the file has been set aside, or must be, so that a new one is needed

	readOnly bool // the file is open, but not for writing
}

// A span is the place of a line in the file.
type span struct {
	at   int64
	size int
}

// errDamaged means that a file has lines that cannot be read; errFormat that it is no
// journal of this format; errCut that it ends in the middle of a line, as after a power failure.
var (
	errDamaged = errors.New("some lines are damaged")
	errFormat  = errors.New("it has another format")
	errCut     = errors.New("it ends in the middle of a line")
)

// read opens the file and calls each with every line. Without a file, it does nothing. A file
// that cannot be written is only read.
func (j *journal) read(each func(r record, at span)) error {
	f, err := files.OpenRegular(j.path, os.O_RDWR)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		f, err = files.OpenRegular(j.path, os.O_RDONLY)
		j.readOnly = err == nil
	}
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
			switch {
			case damaged:
				return errDamaged
			case len(line) > 0:
				return errCut
			}
			return nil
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

// setAside renames a file that cannot be read, and returns its new path, or "" if it stays. The
// next write makes another file.
func (j *journal) setAside() (string, error) {
	j.aside = true
	return files.SetAside(j.path)
}

// clean removes files that a crash has left while the file was replaced.
func (j *journal) clean() {
	left, _ := filepath.Glob(j.path + ".*")
	for _, file := range left {
		if file != j.path+files.Aside {
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

// replace replaces the file by one with only the given lines. Then it calls moved with
// the new place of each.
func (j *journal) replace(lines []span, moved func(i int, to span)) error {
	next, err := files.Replace(j.path, fileMode)
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
	j.size, j.live, j.aside, j.readOnly = size, size, false, false
	return j.reopen()
}

// reopen opens the file for writing.
func (j *journal) reopen() error {
	f, err := files.OpenRegular(j.path, os.O_RDWR)
	if err != nil {
		return err
	}
	if j.file != nil {
		j.file.Close() // it was only read
	}
	j.file, j.readOnly = f, false
	return nil
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
