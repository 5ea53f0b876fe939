import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A client with Java's HttpClient and its defaults. The words are those of client.mjs. */
class Client {
  static final Map<String, String> plan = new HashMap<>();
  static final HttpClient client = HttpClient.newHttpClient();
  static final AtomicInteger refused = new AtomicInteger();
  static final long startedAt = System.nanoTime();

  record Answer(int status, long waitMs) {}

  public static void main(String[] words) throws Exception {
    for (String word : words) plan.put(word.split("=")[0], word.split("=")[1]);
    System.out.println("ready");
    System.in.readAllBytes();
    switch (plan.get("shape")) {
      case "loop" -> loop();
      case "burst" -> together(number("count"), index -> send(pathOf(index)));
      case "pool" -> together(number("workers"), Client::work);
      case "waited" -> waited();
      default -> throw new IllegalArgumentException(plan.get("shape"));
    }
    if (refused.get() == 0) throw new IllegalStateException("no call was refused");
    System.exit(0);
  }

  static int number(String name) {
    return Integer.parseInt(plan.getOrDefault(name, "0"));
  }

  static String pathOf(int index) {
    return "different".equals(plan.get("calls")) ? "/pets/" + (index + 1) : "/pets";
  }

  static double at() {
    return (System.nanoTime() - startedAt) / 1e6;
  }

  static Answer send(String path) throws Exception {
    double sentAt = at();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(System.getenv("PET_MOCK_URL") + path))
            .header("Authorization", "Bearer " + System.getenv("PET_MOCK_KEY"))
            .build();
    var response = client.send(request, BodyHandlers.ofString());
    if (response.statusCode() == 429) refused.incrementAndGet();
    System.out.printf("%.1f-%.1f %d %s%n", sentAt, at(), response.statusCode(), path);
    return new Answer(
        response.statusCode(), 1000 * response.headers().firstValueAsLong("Retry-After").orElse(0));
  }

  interface Work {
    void run(int index) throws Exception;
  }

  static void together(int count, Work work) throws Exception {
    var threads = new ArrayList<Thread>();
    for (int index = 0; index < count; index++) {
      int own = index;
      threads.add(
          new Thread(
              () -> {
                try {
                  work.run(own);
                } catch (Exception error) {
                  error.printStackTrace();
                  System.exit(3);
                }
              }));
    }
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
  }

  static void loop() throws Exception {
    for (int made = 0; made < number("accepted"); made++) send("/pets");
    long over = System.nanoTime() / 1_000_000 + send("/pets").waitMs();
    for (int early = 0; early < number("early"); early++) {
      Thread.sleep(number("pause"));
      if (send(pathOf(early)).status() != 429)
        throw new IllegalStateException("the wait was over before the early calls");
    }
    if (!"returns".equals(plan.get("end"))) return;
    Thread.sleep(Math.max(0, over - System.nanoTime() / 1_000_000));
    send("/pets");
  }

  static void work(int worker) throws Exception {
    for (int made = 0; made < 5; made++) {
      for (int tries = 0; tries < 5; tries++) {
        Answer answer = send(pathOf(worker));
        if (answer.status() != 429) break;
        Thread.sleep(answer.waitMs());
      }
      Thread.sleep(number("pause") * (number("workers") + worker) / number("workers"));
    }
  }

  static void waited() throws Exception {
    for (int made = 0; made < number("accepted"); made++) send("/pets");
    Thread.sleep(send("/pets").waitMs());
    int before = refused.get();
    for (int pairs = 0; pairs < 5 && refused.get() == before; pairs++) {
      together(2, index -> send(pathOf(index)));
      Thread.sleep(number("pause"));
    }
  }
}
