//go:build !unix

package fdstore

import (
	"errors"
	"net"
)

func (s *Store) sendConn(string, net.Conn) error { return errors.ErrUnsupported }

func (s *Store) send(string, []byte) error { return errors.ErrUnsupported }
