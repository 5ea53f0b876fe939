package petmock;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A sandbox of the pet-mock at PET_MOCK_URL: its own pets, counts, bans, clock, rules and requests. Run your tests with
 * {@code npx pet-mock exec -- mvn test}. A refused command throws an {@link IllegalStateException} that says why.
 */
@SuppressWarnings("unchecked") // JSON has maps, lists and texts in known places.
public final class PetMock implements AutoCloseable {
    private static final String HOW_TO_RUN = """
        PET_MOCK_URL is not set. Let pet-mock run your tests:
            npx pet-mock exec -- mvn test
        Or start `npx pet-mock` in another terminal, and run them with its URL:
            PET_MOCK_URL=http://127.0.0.1:7387/v1 mvn test""";

    private final HttpClient http = HttpClient.newHttpClient();
    private final String url;
    private final String admin;
    private final String token;
    private final String sandbox;
    private String plainKey;

    /** A sandbox of the server that the environment names. */
    public PetMock(String name) {
        this(name, env("PET_MOCK_URL"), env("PET_MOCK_ADMIN"), env("PET_MOCK_ADMIN_TOKEN"), env("PET_MOCK_KEY"));
    }

    /** A sandbox of another server. The token may be null. */
    public PetMock(String name, String url, String token) {
        this(name, url, null, token, null);
    }

    private PetMock(String name, String url, String admin, String token, String key) {
        if (url == null) throw new IllegalStateException(HOW_TO_RUN);
        this.url = url;
        this.token = token;
        this.admin = admin == null ? url.replaceFirst("/v1/?$", "/__admin") : admin;
        var plain = name.replaceAll("[^A-Za-z0-9]+", "-");
        sandbox = plain.substring(0, Math.min(40, plain.length())) + "-" + UUID.randomUUID().toString().substring(0, 8);
        call("POST", "reset", "{}"); // The first change that names a sandbox creates it.
        plainKey = key == null ? (String) call("GET", "scenario", "").get("key") : key;
    }

    private static String env(String name) {
        return System.getenv(name);
    }

    public String url() {
        return url;
    }

    /** The API key. Its suffix selects this sandbox. */
    public String key() {
        return plainKey + "+" + sandbox;
    }

    /** Restarts the sandbox with a shipped scenario. */
    public void use(String scenario) {
        plainKey = (String) call("PUT", "scenario", "{\"scenario\":" + Json.quote(scenario) + "}").get("key");
    }

    public void advance(Duration by) {
        call("POST", "clock/advance", "{\"by\":\"" + by.toMillis() + "ms\"}");
    }

    /** Bans the key from now on. */
    public void ban(Duration length) {
        call("POST", "keys/" + URLEncoder.encode(plainKey, UTF_8) + "/ban", "{\"for\":\"" + length.toMillis() + "ms\"}");
    }

    /** Adds a rule, as JSON, before all others. docs/scenarios.md has the fields. */
    public void addRule(String rule) {
        call("POST", "rules", rule);
    }

    public List<Map<String, Object>> pets() {
        return objects(call("GET", "pets?limit=1000", ""), "pets");
    }

    /** The requests of the test, the newest last. */
    public List<Map<String, Object>> requests() {
        return objects(call("GET", "requests?view=rows", ""), "requests");
    }

    /** Why a request got its response, in sentences. */
    public List<String> explain(Map<String, Object> request) {
        var explanation = (Map<String, Object>) call("GET", "requests/" + request.get("id"), "").get("explanation");
        return (List<String>) explanation.get("sentences");
    }

    /** What the client did wrong, the worst first. */
    public List<Map<String, Object>> findings() {
        return objects(call("GET", "conduct", ""), "findings");
    }

    /** From now on, this finding fails nothing. If it does not appear, that is a finding. */
    public void expectFinding(String id) {
        call("POST", "conduct/expected", "{\"id\":" + Json.quote(id) + "}");
    }

    /** Sends any command of the admin plane to this sandbox. /__admin/docs lists them all. */
    public Map<String, Object> call(String method, String path, String json) {
        var uri = URI.create(admin + "/" + path + (path.contains("?") ? "&" : "?") + "sandbox=" + sandbox);
        var request = HttpRequest.newBuilder(uri).header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(json));
        if (token != null) request.header("Authorization", "Bearer " + token);
        try {
            var response = http.send(request.build(), BodyHandlers.ofString());
            if (response.statusCode() >= 400) throw new IllegalStateException(response.body());
            return (Map<String, Object>) Json.parse(response.body());
        } catch (IOException error) {
            throw new IllegalStateException("pet-mock does not answer at " + uri, error);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(error);
        }
    }

    @Override
    public void close() {
        call("DELETE", "sandboxes", "{}");
    }

    private static List<Map<String, Object>> objects(Map<String, Object> answer, String field) {
        return (List<Map<String, Object>>) answer.get(field);
    }
}
