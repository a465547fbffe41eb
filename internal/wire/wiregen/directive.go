package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// The directives of types.
const (
	directiveMessage  = "wire:message"
	directiveLayout   = "wire:layout" // a part of messages
	directiveObject   = "wire:object"
	directiveEnvelope = "wire:envelope"
)

// words are the words of each directive. Words that end with = have a value.
var words = map[string][]string{
	directiveMessage: {"canonical", "object",
		"magic=", "type=", "key=", "command=", "frame=", "end=", "layouts="},
	directiveLayout:   {"magic=", "type="},
	directiveEnvelope: {"in=", "key="},
}

// wordsOfUnion are the words of the directive of an interface.
var wordsOfUnion = []string{"key="}

// looksLike matches comments that are directives, or are meant to be.
var looksLike = regexp.MustCompile(`^//\s*(wire:\S*)\s*(.*)`)

// A mistake is an error in the declaration of a message.
type mistake struct {
	at   token.Position
	what string // the type or the field; "" if there is none
	err  error
}

func (m *mistake) Error() string {
	text := m.err.Error()
	if m.what != "" {
		text = m.what + ": " + text
	}
	return fmt.Sprintf("%s:%d: %s", filepath.Base(m.at.Filename), m.at.Line, text)
}

// mistake returns an error at a place in the source.
func (p *codec) mistake(at token.Pos, what, format string, args ...any) error {
	return &mistake{p.files.Position(at), what, fmt.Errorf(format, args...)}
}

// directives returns the directives in a comment.
func directivesIn(comment *ast.CommentGroup) (all []directive) {
	if comment == nil {
		return nil
	}
	for _, line := range comment.List {
		if match := looksLike.FindStringSubmatch(line.Text); match != nil {
			all = append(all, directive{match[1], strings.Fields(match[2]), line.Pos()})
		}
	}
	return all
}

// directiveOf returns the directive of a declaration, which must be one of allowed.
func (p *codec) directiveOf(comment *ast.CommentGroup, what string, allowed ...string) (d directive, err error) {
	for _, next := range directivesIn(comment) {
		p.placed[next.pos] = true
		switch {
		case !slices.Contains(allowed, next.name):
			return d, p.mistake(next.pos, what, "unknown directive //%s; known are //%s", next.name,
				strings.Join(allowed, ", //"))
		case d.name != "":
			return d, p.mistake(next.pos, what, "//%s beside //%s", next.name, d.name)
		}
		d = next
	}
	return d, nil
}

// checkPlaces fails if f has a directive that is in no comment of a declaration.
func (p *codec) checkPlaces(f *ast.File) error {
	for _, comment := range f.Comments {
		for _, d := range directivesIn(comment) {
			if !p.placed[d.pos] {
				return p.mistake(d.pos, "", "//%s is not part of the comment of a declaration that can have it", d.name)
			}
		}
	}
	return nil
}

// addWords applies the words of the directive of m.
func (p *codec) addWords(m *message, d directive) error {
	known := words[d.name]
	if m.union {
		known = wordsOfUnion
	}
	seen := make(map[string]bool)
	for _, argument := range d.arguments {
		word, value, hasValue := strings.Cut(argument, "=")
		if hasValue {
			word += "="
		}
		if seen[word] {
			return p.mistake(d.pos, m.name, "//%s has %s twice", d.name, word)
		}
		seen[word] = true
		allowed := slices.Contains(known, word)
		member := !hasValue && !m.union && d.name == directiveMessage
		switch {
		case hasValue && allowed && value == "":
			return p.mistake(d.pos, m.name, "//%s: %s has no value", d.name, word)
		case allowed:
			p.setWord(m, word, value)
		case member:
			m.members = append(m.members, word) // checked when all types are known
		default:
			return p.mistake(d.pos, m.name, "//%s: unknown word %s; known are %s", d.name, argument,
				cmp.Or(strings.Join(known, ", "), "none"))
		}
	}
	if m.key == "" && !m.union && len(m.consts) > 0 {
		m.key = m.consts[0].value
	}
	return nil
}

// setWord applies a word of the directive of m.
func (p *codec) setWord(m *message, word, value string) {
	switch word {
	case "canonical":
		m.canonical = true
	case "object":
		m.isObject = true
	case "in=":
		p.envelope.in = value
	case "key=":
		m.key = value
	case "command=":
		m.key, m.command = "command"+m.name, value
	case "layouts=":
		m.variants = value
	case "end=":
		m.end = value
	case "frame=":
		m.frame, m.key = value, value
	case "magic=", "type=":
		m.consts = append(m.consts, field{wire: strings.TrimSuffix(word, "="), value: value})
	}
}

// checkMembers fails if m belongs to something that is not an interface of the package.
func (p *codec) checkMembers(m *message) error {
	var unions []string
	for name, typ := range p.types {
		if strings.HasPrefix(typ, "interface{") {
			unions = append(unions, name)
		}
	}
	slices.Sort(unions)
	for _, member := range m.members {
		if !slices.Contains(unions, member) {
			known := slices.Concat(words[directiveMessage], unions)
			return p.mistake(m.at, m.name, "//%s: unknown word %s; known are %s", directiveMessage, member,
				strings.Join(known, ", "))
		}
	}
	return nil
}

// The directive of functions that append states why they fail, or never:
//
//	//wire:fails the address is not IPv4
//	//wire:fails never
const (
	directiveFails = "wire:fails"
	never          = "never"
)
