package petmock;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON as maps, lists, strings, longs, doubles, booleans and null, so that the example needs no library. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object parse(String text) {
        return new Json(text).value();
    }

    static String quote(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private Object value() {
        return switch (next()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            default -> literal();
        };
    }

    private Map<String, Object> object() {
        var fields = new LinkedHashMap<String, Object>();
        for (at++; next() != '}'; skip(',')) {
            var name = string();
            skip(':');
            fields.put(name, value());
        }
        at++;
        return fields;
    }

    private List<Object> array() {
        var items = new ArrayList<>();
        for (at++; next() != ']'; skip(',')) items.add(value());
        at++;
        return items;
    }

    private String string() {
        var characters = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++)
            characters.append(text.charAt(at) == '\\' ? escaped() : text.charAt(at));
        at++;
        return characters.toString();
    }

    private char escaped() {
        char letter = text.charAt(++at);
        if (letter == 'u') return (char) Integer.parseInt(text.substring(at + 1, 1 + (at += 4)), 16);
        int control = "bfnrt".indexOf(letter);
        return control < 0 ? letter : "\b\f\n\r\t".charAt(control);
    }

    private Object literal() {
        int from = at;
        while (at < text.length() && ",]} \r\n\t".indexOf(text.charAt(at)) < 0) at++;
        var word = text.substring(from, at);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            default -> word.matches("-?\\d+") ? (Object) Long.valueOf(word) : Double.valueOf(word);
        };
    }

    private char next() {
        while (Character.isWhitespace(text.charAt(at))) at++;
        return text.charAt(at);
    }

    private void skip(char separator) {
        if (next() == separator) at++;
    }
}
