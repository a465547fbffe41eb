package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// casesFile is the page of all cases, which is also the list of IDs.
const casesFile = "CASES.md"

// The IDs of cases never change: every ID in CASES.md still belongs to a case, or is reserved
// there. The rest of the page is made from the cases.
func TestCaseIDsNeverChange(t *testing.T) {
	stored, err := os.ReadFile(casesFile)
	if err != nil {
		t.Fatal(err)
	}
	isRow := func(line string) bool { return strings.HasPrefix(line, "| ") && strings.Contains(line, "/") }
	var lines []string
	ids := map[string]bool{}
	for _, c := range allCases() {
		if ids[c.ID] {
			t.Errorf("%s is the ID of two cases", c.ID)
		}
		ids[c.ID] = true
		lines = append(lines, fmt.Sprintf("| %s | %s | %s | %s |", c.ID, c.Level,
			strings.ReplaceAll(c.Sentence, "|", "\\|"), c.Source))
	}
	for line := range strings.Lines(string(stored)) {
		id, rest, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		if !isRow(line) || ids[id] {
			continue
		}
		if !strings.HasPrefix(rest, " removed |") {
			t.Errorf("the case %s is gone: its row must say that it is removed, so that nobody uses the ID again", id)
		}
		lines = append(lines, strings.TrimSuffix(line, "\n"))
	}
	slices.SortStableFunc(lines, func(a, b string) int { return slices.Compare(idOfRow(a), idOfRow(b)) })
	head, _, _ := strings.Cut(string(stored), "\n| ---")
	page := head + "\n| --- | --- | --- | --- |\n" + strings.Join(lines, "\n") + "\n"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		const mode = 0o644
		if err := os.WriteFile(casesFile, []byte(page), mode); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(stored), page); diff != "" {
		t.Errorf("%s (-) is not as the cases (+); $UPDATE_GOLDEN writes it:\n%s", casesFile, diff)
	}
}

// idOfRow returns the protocol of a row, and its numbers.
func idOfRow(row string) (parts []string) {
	id, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " |")
	protocol, number, _ := strings.Cut(id, "/")
	parts = append(parts, protocol)
	for part := range strings.SplitSeq(number, ".") {
		parts = append(parts, fmt.Sprintf("%6s", part))
	}
	return parts
}

// -list prints the cases.
func TestCheckListPrintsTheCases(t *testing.T) {
	code, stdout, stderr := gamequery(nil, "check", "-list", "warzone")
	if code != exitOK || !strings.Contains(stdout, "warzone/1.1 ") || !strings.Contains(stdout, "warzone/client.1 ") ||
		strings.Contains(stdout, "sqp/") {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
}
