// Package petmock gives each test a sandbox of pet-mock, the mock server of the Pet Adoption Service.
// Copy this file to your module, and run
//
//	npx pet-mock exec -- go test ./...
package petmock

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

const howToRun = `PET_MOCK_URL is not set. Let pet-mock run your tests:
    npx pet-mock exec -- go test ./...
Or start "npx pet-mock" in another terminal, and run them with its URL:
    PET_MOCK_URL=http://127.0.0.1:7387/v1 go test -count=1 ./...`

// A client of its own: tests may replace http.DefaultTransport.
var client = &http.Client{Transport: &http.Transport{}, Timeout: 30 * time.Second}

// Mock is a sandbox of the server at PET_MOCK_URL: its own pets, counts, bans, clock, rules and requests.
// A method that fails ends the test.
type Mock struct {
	URL     string // the base URL of the API
	Sandbox string // the name of the sandbox

	t        testing.TB
	scenario struct{ Key string }
}

// Pet is a pet of the service.
type Pet struct {
	ID, CategoryID int64
	Name, Status   string
}

// Request is a call that the server received. Code names the error, and Fault what happened to the connection.
type Request struct {
	ID, Status           int
	Method, Target, Code string
	Fault                any
}

// Finding is something that the client did wrong.
type Finding struct{ ID, Severity, Title string }

// Rule injects a fault. docs/scenarios.md has its fields.
type Rule map[string]any

// New returns a sandbox that is deleted when the test ends. A failed test logs its requests.
func New(t testing.TB) *Mock {
	t.Helper()
	base, isSet := os.LookupEnv("PET_MOCK_URL")
	if !isSet {
		t.Fatal(howToRun)
	}
	unique := make([]byte, 4)
	if _, err := rand.Read(unique); err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile("[^a-z0-9]+").ReplaceAllString(strings.ToLower(t.Name()), "-")
	m := &Mock{URL: base, Sandbox: fmt.Sprintf("%.40s-%x", name, unique), t: t}
	m.Call("POST", "reset", nil, nil) // The first change that names a sandbox creates it.
	t.Cleanup(func() { m.Call("DELETE", "sandboxes", nil, nil) })
	m.Call("GET", "scenario", nil, &m.scenario)
	if key := os.Getenv("PET_MOCK_KEY"); key != "" {
		m.scenario.Key = key
	}
	// It runs before the other one, which deletes the sandbox also if this one fails.
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("pet-mock: requests of this test\n%s", m.format())
		}
	})
	return m
}

// Key returns the API key. Its suffix selects this sandbox.
func (m *Mock) Key() string { return m.scenario.Key + "+" + m.Sandbox }

// Use restarts the sandbox with a scenario: the name of a shipped one, or a map with the fields of your own.
func (m *Mock) Use(scenario any) {
	m.t.Helper()
	m.Call("PUT", "scenario", map[string]any{"scenario": scenario}, &m.scenario)
}

// Advance moves the clock forward.
func (m *Mock) Advance(by time.Duration) {
	m.t.Helper()
	m.Call("POST", "clock/advance", map[string]any{"by": by.String()}, nil)
}

// Ban bans the key from now on.
func (m *Mock) Ban(length time.Duration) {
	m.t.Helper()
	m.Call("POST", "keys/"+url.PathEscape(m.scenario.Key)+"/ban", map[string]any{"for": length.String()}, nil)
}

// AddRule adds a rule before all others.
func (m *Mock) AddRule(rule Rule) {
	m.t.Helper()
	m.Call("POST", "rules", rule, nil)
}

// Pets returns the pets whose ID is greater than after.
func (m *Mock) Pets(after int64) []Pet {
	m.t.Helper()
	var answer struct{ Pets []Pet }
	m.Call("GET", fmt.Sprintf("pets?after=%d", after), nil, &answer)
	return answer.Pets
}

// Requests returns the requests of the test, the newest last.
func (m *Mock) Requests() []Request {
	m.t.Helper()
	var answer struct{ Requests []Request }
	m.Call("GET", "requests?view=rows", nil, &answer)
	return answer.Requests
}

// Explain returns why a request got its response, in sentences.
func (m *Mock) Explain(request Request) []string {
	m.t.Helper()
	var answer struct{ Explanation struct{ Sentences []string } }
	m.Call("GET", fmt.Sprintf("requests/%d", request.ID), nil, &answer)
	return answer.Explanation.Sentences
}

// Findings returns what the client did wrong, the worst first.
func (m *Mock) Findings() []Finding {
	m.t.Helper()
	var answer struct{ Findings []Finding }
	m.Call("GET", "conduct", nil, &answer)
	return answer.Findings
}

// ExpectFinding lets a finding fail nothing from now on. If it does not appear, that is a finding.
func (m *Mock) ExpectFinding(id string) {
	m.t.Helper()
	m.Call("POST", "conduct/expected", map[string]any{"id": id}, nil)
}

// Call sends any command of the admin plane to this sandbox, and decodes its answer. /__admin/docs lists them all.
func (m *Mock) Call(method, path string, body, answer any) {
	m.t.Helper()
	if err := m.send(method, path, body, answer); err != nil {
		m.t.Fatalf("pet-mock: %s %s: %v", method, path, err)
	}
}

func (m *Mock) send(method, path string, body, answer any) error {
	admin := os.Getenv("PET_MOCK_ADMIN")
	if admin == "" {
		admin = strings.TrimSuffix(strings.TrimSuffix(m.URL, "/"), "/v1") + "/__admin"
	}
	path, query, _ := strings.Cut(path, "?")
	var sent []byte
	if body != nil {
		var err error
		if sent, err = json.Marshal(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequest(method, admin+"/"+path+"?sandbox="+m.Sandbox+"&"+query, bytes.NewReader(sent))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if token := os.Getenv("PET_MOCK_ADMIN_TOKEN"); token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || answer == nil && response.StatusCode < 400 {
		return err
	}
	if response.StatusCode >= 400 {
		return fmt.Errorf("%s", text)
	}
	return json.Unmarshal(text, answer)
}

// format returns a line for each request, and below a refusal or a fault its reason.
func (m *Mock) format() string {
	var text strings.Builder
	for _, request := range m.Requests() {
		fmt.Fprintf(&text, "#%d %s %s %d %s\n", request.ID, request.Method, request.Target, request.Status, request.Code)
		if request.Code == "" && request.Fault == nil {
			continue
		}
		for at, sentence := range m.Explain(request) {
			if at > 0 { // The first one repeats the line.
				fmt.Fprintf(&text, "    %s\n", sentence)
			}
		}
	}
	return text.String()
}
