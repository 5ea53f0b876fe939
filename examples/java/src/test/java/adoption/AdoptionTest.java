package adoption;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import petmock.PetMock;
import petmock.PetMockExtension;

/** Ten things that a test does with pet-mock. */
@ExtendWith(PetMockExtension.class)
class AdoptionTest {
    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void startGivesEachTestItsOwnSandbox(PetMock mock) throws Exception {
        assertEquals(0, mock.requests().size());
        assertEquals(200, get(mock, "/pets").statusCode());
    }

    @Test
    void listReturnsAPageOfPets(PetMock mock) throws Exception {
        var response = get(mock, "/pets?limit=2");
        assertTrue(response.body().contains("Mrs. Whiskers"));
        assertTrue(response.headers().firstValue("Link").orElseThrow().contains("rel=\"next\""));
    }

    @Test
    void status429SaysHowLongToWait(PetMock mock) throws Exception {
        mock.use("rate-limit-exhaustion");
        mock.call("POST", "clock/freeze", "{}");
        for (int call = 1; call <= 3; call++) assertEquals(200, get(mock, "/pets").statusCode());
        var refused = get(mock, "/pets");
        assertEquals(429, refused.statusCode());
        assertEquals("60", refused.headers().firstValue("Retry-After").orElseThrow());
    }

    @Test
    void waitMovesTheClock(PetMock mock) throws Exception {
        mock.use("rate-limit-exhaustion");
        var response = get(mock, "/pets");
        while (response.statusCode() == 200) response = get(mock, "/pets");
        mock.advance(Duration.ofSeconds(response.headers().firstValueAsLong("Retry-After").orElseThrow()));
        assertEquals(200, get(mock, "/pets").statusCode());
    }

    @Test
    void banRefusesTheKeyUntilItEnds(PetMock mock) throws Exception {
        mock.ban(Duration.ofMinutes(5));
        assertTrue(get(mock, "/pets").body().contains("api_key_banned"));
        mock.advance(Duration.ofMinutes(5));
        assertEquals(200, get(mock, "/pets").statusCode());
    }

    @Test
    void createAddsAPet(PetMock mock) throws Exception {
        assertEquals(201, send(mock, "POST", "/pets", "{\"name\":\"Rex\",\"categoryId\":1}").statusCode());
        assertEquals("Rex", mock.pets().get(100).get("name"));
    }

    @Test
    void faultFailsOneCall(PetMock mock) throws Exception {
        mock.addRule("{\"match\":{\"operation\":\"listPets\"},\"then\":{\"status\":503},\"times\":1}");
        assertEquals(503, get(mock, "/pets").statusCode());
        mock.advance(Duration.ofSeconds(30));
        assertEquals(200, get(mock, "/pets").statusCode());
    }

    @Test
    void explainSaysWhyACallWasRefused(PetMock mock) throws Exception {
        get(mock, "/pets?limit=many");
        var reasons = mock.explain(mock.requests().get(0));
        assertTrue(reasons.contains("Wrong limit: expected a whole number from 1 to 100, found many."));
    }

    @Test
    void conductFindsARetryThatComesTooEarly(PetMock mock) throws Exception {
        mock.use("rate-limit-exhaustion");
        mock.expectFinding("early-retry");
        for (int call = 1; call <= 7; call++) get(mock, "/pets");
        assertTrue(mock.findings().stream().anyMatch(finding -> finding.get("id").equals("early-retry")));
    }

    @Test
    void stopDeletesTheSandbox() {
        var mock = new PetMock("stopped");
        mock.close();
        assertThrows(IllegalStateException.class, mock::pets);
    }

    private HttpResponse<String> get(PetMock mock, String path) throws IOException, InterruptedException {
        return send(mock, "GET", path, "");
    }

    /** Stands for your client: give it the URL and the key of the test. */
    private HttpResponse<String> send(PetMock mock, String method, String path, String body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(mock.url() + path))
            .header("Authorization", "Bearer " + mock.key())
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body));
        return http.send(request.build(), BodyHandlers.ofString());
    }
}
