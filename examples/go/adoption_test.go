// Package adoption shows ten things that a test does with pet-mock.
package adoption

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"adoption/petmock"
)

// send stands for your client: give it the URL and the key of the test.
func send(t *testing.T, mock *petmock.Mock, method, path, body string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequest(method, mock.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+mock.Key())
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(text)
}

func list(t *testing.T, mock *petmock.Mock) *http.Response {
	t.Helper()
	response, _ := send(t, mock, "GET", "/pets", "")
	return response
}

func want[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func TestStartGivesEachTestItsOwnSandbox(t *testing.T) {
	mock := petmock.New(t)
	want(t, len(mock.Requests()), 0)
	want(t, list(t, mock).StatusCode, http.StatusOK)
}

func TestListReturnsAPageOfPets(t *testing.T) {
	response, body := send(t, petmock.New(t), "GET", "/pets?limit=2", "")
	want(t, strings.Contains(body, "Mrs. Whiskers"), true)
	want(t, strings.Contains(response.Header.Get("Link"), `rel="next"`), true)
}

func Test429SaysHowLongToWait(t *testing.T) {
	mock := petmock.New(t)
	mock.Use("rate-limit-exhaustion")
	mock.Call("POST", "clock/freeze", nil, nil)
	for call := 1; call <= 3; call++ {
		want(t, list(t, mock).StatusCode, http.StatusOK)
	}
	refused := list(t, mock)
	want(t, refused.StatusCode, http.StatusTooManyRequests)
	want(t, refused.Header.Get("Retry-After"), "60")
}

func TestWaitMovesTheClock(t *testing.T) {
	mock := petmock.New(t)
	mock.Use("rate-limit-exhaustion")
	for list(t, mock).StatusCode == http.StatusOK {
	}
	mock.Advance(time.Minute)
	want(t, list(t, mock).StatusCode, http.StatusOK)
}

func TestBanRefusesTheKeyUntilItEnds(t *testing.T) {
	mock := petmock.New(t)
	mock.Ban(5 * time.Minute)
	want(t, list(t, mock).StatusCode, http.StatusTooManyRequests)
	mock.Advance(5 * time.Minute)
	want(t, list(t, mock).StatusCode, http.StatusOK)
}

func TestCreateAddsAPet(t *testing.T) {
	mock := petmock.New(t)
	response, _ := send(t, mock, "POST", "/pets", `{"name":"Rex","categoryId":1}`)
	want(t, response.StatusCode, http.StatusCreated)
	want(t, mock.Pets(100)[0], petmock.Pet{ID: 101, Name: "Rex", CategoryID: 1})
}

func TestFaultFailsOneCall(t *testing.T) {
	mock := petmock.New(t)
	mock.AddRule(petmock.Rule{"then": petmock.Rule{"status": 503}, "times": 1})
	want(t, list(t, mock).StatusCode, http.StatusServiceUnavailable)
	mock.Advance(30 * time.Second)
	want(t, list(t, mock).StatusCode, http.StatusOK)
}

func TestExplainSaysWhyACallWasRefused(t *testing.T) {
	mock := petmock.New(t)
	send(t, mock, "GET", "/pets?limit=many", "")
	reasons := strings.Join(mock.Explain(mock.Requests()[0]), " ")
	want(t, strings.Contains(reasons, "Wrong limit: expected a whole number from 1 to 100, found many."), true)
}

func TestConductFindsARetryThatComesTooEarly(t *testing.T) {
	mock := petmock.New(t)
	mock.Use("rate-limit-exhaustion")
	mock.ExpectFinding("early-retry")
	for call := 1; call <= 7; call++ {
		list(t, mock)
	}
	want(t, strings.Contains(fmt.Sprint(mock.Findings()), "early-retry"), true)
}

func TestStopDeletesTheSandbox(t *testing.T) {
	var stopped *petmock.Mock
	t.Run("with a sandbox", func(t *testing.T) { stopped = petmock.New(t) })
	var sandboxes json.RawMessage
	petmock.New(t).Call("GET", "sandboxes", nil, &sandboxes)
	want(t, strings.Contains(string(sandboxes), stopped.Sandbox), false)
}
