package petmock;

import java.util.Objects;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Passes each test that has a parameter of type {@link PetMock} a sandbox, and prints the requests of a failed test. */
public final class PetMockExtension implements ParameterResolver, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(PetMockExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == PetMock.class && test.getTestMethod().isPresent();
    }

    @Override
    public PetMock resolveParameter(ParameterContext parameter, ExtensionContext test) {
        var name = test.getRequiredTestMethod().getName();
        return test.getStore(NAMESPACE).getOrComputeIfAbsent(PetMock.class, type -> new PetMock(name), PetMock.class);
    }

    @Override
    public void afterEach(ExtensionContext test) {
        try (var mock = test.getStore(NAMESPACE).remove(PetMock.class, PetMock.class)) {
            if (mock == null || test.getExecutionException().isEmpty()) return;
            System.err.println("pet-mock: requests of " + test.getDisplayName());
            for (var request : mock.requests()) {
                System.err.printf("#%s %s %s %s %s%n", request.get("id"), request.get("method"), request.get("target"),
                    request.get("status"), Objects.toString(request.get("code"), ""));
                if (request.get("code") == null && request.get("fault") == null) continue;
                // The first sentence repeats the line.
                mock.explain(request).stream().skip(1).forEach(sentence -> System.err.println("    " + sentence));
            }
        }
    }
}
