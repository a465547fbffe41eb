package fuzzharness

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp"
)

// ExpectSQP returns the minimum and maximum number of answers to a request: 1 and 1 if a
// server must answer, 0 and [sqp.MaxPackets] if it may, 0 and 0 if it must not: the request is
// invalid or has another token than this one, of the address that it comes from, or it is a
// challenge request with a token, which may be the answer of another server.
func ExpectSQP(request []byte, token uint32) (least, most int) {
	m, err := sqp.ParseRequest(request)
	switch {
	case err != nil:
		return 0, 0
	case m.Type == sqp.TypeChallenge && !bytes.Equal(request, make([]byte, sqp.RequestSize)):
		return 0, 0 // it may be the answer of another server
	case m.Type == sqp.TypeChallenge:
		return 1, 1
	case m.Query.Token != token:
		return 0, 0
	case m.Query.Version == sqp.Version && m.Query.Chunks == sqp.ChunkServerInfo:
		return 1, 1
	}
	return 0, sqp.MaxPackets // a server need not have other chunks; of some, an answer is split
}

// JudgeSQP returns an error if the answers to a request are wrong: too many or too few,
// or not as the specification demands. See [ExpectSQP].
func JudgeSQP(request []byte, answers [][]byte, token uint32) error {
	least, most := ExpectSQP(request, token)
	if err := counted(answers, least, most); err != nil || len(answers) == 0 {
		return err
	}
	m, _ := sqp.ParseRequest(request) // without answers if it is invalid
	if m.Type == sqp.TypeQuery {
		return judgeSQPAnswers(m.Query, answers)
	}
	answer, err := sqp.ParseChallengeResponse(answers[0])
	if err == nil && answer.Token != token {
		err = fmt.Errorf("token %d, want %d: %w", answer.Token, token, ErrToken)
	}
	if err != nil {
		return explained(err, sqp.Explain[sqp.ChallengeResponse](answers[0]), answers[0])
	}
	return nil
}

// judgeSQPAnswers returns an error if the packets of an answer to q are wrong, or have another
// token or version than q.
func judgeSQPAnswers(q sqp.QueryRequest, answers [][]byte) error {
	joined := sqp.Assembler{Options: sqp.Options{Strict: true}}
	done := false
	for _, b := range answers {
		if done {
			return fmt.Errorf("a packet follows the last one: %w", ErrRepeated)
		}
		p, err := sqp.Options{Strict: true}.ParsePacket(b)
		if errors.Is(err, lobbywire.ErrUnsupported) {
			p, err = sqp.ParsePacket(b) // a version that nobody has, but the one of the query
			joined.Options.Strict = false
		}
		switch {
		case err != nil:
		case p.Token != q.Token:
			err = fmt.Errorf("token %d in the answer, want %d: %w", p.Token, q.Token, ErrToken)
		case p.Version != q.Version:
			err = fmt.Errorf("version %d in the answer, want %d: %w", p.Version, q.Version, ErrVersion)
		default:
			done, err = joined.Add(b)
		}
		if err != nil {
			return explained(err, sqp.ExplainQueryResponse(b, q.Chunks), b)
		}
	}
	if !done {
		return fmt.Errorf("the packets %v of the answer are missing: %w", joined.Missing(), lobbywire.ErrTruncated)
	}
	if _, err := joined.QueryResponse(q.Chunks); err != nil {
		return explained(err, sqp.ExplainQueryResponse(answers[0], q.Chunks), answers[0])
	}
	return nil
}

// SQPEdges returns the edges of ServerInfo, which does not show the Roster of their states.
func SQPEdges() Edges {
	return Edges{Longest: sqp.MaxText, Largest: math.MaxUint16, Odd: "\t\"\\%s\x00\x01;^1\r\n☃\U0001f3ae"}
}
