package fuzzharness

import (
	"errors"
	"fmt"
	"math"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp"
)

// ExpectSQP returns the minimum and maximum number of answers to a request: 1 and 1 if a
// server must answer, 0 and 1 if it may, 0 and 0 if it must not. The request comes from
// an address whose token this is.
func ExpectSQP(request []byte, token uint32) (least, most int) {
	m, err := sqp.ParseRequest(request)
	switch {
	case err != nil:
		return 0, 0
	case m.Type == sqp.TypeChallenge:
		return 1, 1
	case m.Query.Token != token:
		return 0, 0
	case m.Query.Version == sqp.Version && m.Query.Chunks == sqp.ChunkServerInfo:
		return 1, 1
	}
	return 0, 1 // a server need not have other chunks
}

// JudgeSQP returns an error if the answers to a request are wrong: too many or too few,
// or not as the specification demands. See [ExpectSQP].
func JudgeSQP(request []byte, answers [][]byte, token uint32) error {
	least, most := ExpectSQP(request, token)
	if err := counted(answers, least, most); err != nil {
		return err
	}
	m, _ := sqp.ParseRequest(request) // without answers if it is invalid
	for _, b := range answers {
		var got uint32
		var err error
		var e lobbywire.Explanation
		if m.Type == sqp.TypeChallenge {
			var answer sqp.ChallengeResponse
			answer, err = sqp.ParseChallengeResponse(b)
			got, e = answer.Token, sqp.Explain[sqp.ChallengeResponse](b)
		} else {
			got, err = judgeSQPAnswer(m.Query, b)
			e = sqp.ExplainQueryResponse(b, m.Query.Chunks)
		}
		if err == nil && got != token {
			err = fmt.Errorf("token %d in the answer, want %d", got, token)
		}
		if err != nil {
			return explained(err, e, b)
		}
	}
	return nil
}

// judgeSQPAnswer returns the token of an answer to q, and an error if the answer is wrong
// or has another version than q.
func judgeSQPAnswer(q sqp.QueryRequest, b []byte) (token uint32, err error) {
	m, err := sqp.ParseQueryResponse(b, q.Chunks)
	if err != nil {
		return 0, err
	}
	if m.Version != q.Version {
		return 0, fmt.Errorf("version %d in the answer, want %d", m.Version, q.Version)
	}
	_, err = sqp.Options{Strict: true}.ParseQueryResponse(b, q.Chunks)
	if errors.Is(err, lobbywire.ErrUnsupported) {
		err = nil // a version that nobody has, but the one of the query
	}
	return m.Token, err
}

// SQPEdges returns the edges of ServerInfo.
func SQPEdges() Edges {
	return Edges{Longest: sqp.MaxText, Largest: math.MaxUint16, Odd: "\t\"\\%s\x00\x01;^1\r\n☃\U0001f3ae"}
}
