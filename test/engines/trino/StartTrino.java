/** Starts a Trino server from its classes, as Trino's own launcher does. */
public class StartTrino {
  public static void main(String[] words) {
    new io.trino.server.Server().start(words[0]);
  }
}
