"""Cases of RNN, GRU and LSTM: directions, activations, lengths, states, weights that are inputs."""

from __future__ import annotations

import numpy as np
from onnx_case import Const, OnnxCase, case, f32

SMALL = np.float32(0.3)
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}


def recurrent(
    name,
    kind,
    *,
    steps=5,
    batch=2,
    inputs=3,
    hidden=6,
    lengths=None,
    states=False,
    bias=True,
    constant=True,
    peepholes=False,
    oracle="onnxruntime",
    opset=14,
    **attributes,
) -> OnnxCase:
    """Make a case of all outputs; weights are small, so that errors do not grow by steps."""
    directions = 2 if attributes.get("direction") == "bidirectional" else 1
    gates = GATES[kind]
    first = attributes.get("layout") == 1
    x = f32(batch, steps, inputs) if first else f32(steps, batch, inputs)
    state = (batch, directions, hidden) if first else (directions, batch, hidden)
    weights = [
        SMALL * f32(directions, gates * hidden, inputs),
        SMALL * f32(directions, gates * hidden, hidden),
        f32(directions, 2 * gates * hidden) if bias else None,
    ]
    arguments = [x, *(Const(w) if constant and w is not None else w for w in weights)]
    arguments.append(None if lengths is None else np.array(lengths, np.int32))
    arguments.append(f32(*state) if states else None)
    if kind == "LSTM":
        arguments.append(f32(*state) if states else None)
        arguments.append(Const(f32(directions, 3 * hidden)) if peepholes else None)
    while arguments[-1] is None:
        arguments.pop()
    outputs = 3 if kind == "LSTM" else 2
    return case(
        name,
        kind,
        *arguments,
        opset=opset,
        outputs=outputs,
        out=[np.float32] * outputs,
        oracle=oracle,
        hidden_size=hidden,
        **attributes,
    )


RECURRENT_CASES = [
    *(
        recurrent(f"{kind}_{direction}".lower(), kind, direction=direction)
        for kind in GATES
        for direction in ("forward", "reverse", "bidirectional")
    ),
    *(
        recurrent(
            f"{kind}_lengths".lower(),
            kind,
            direction="bidirectional",
            lengths=[3, 5, 0],
            batch=3,
            states=True,
        )
        for kind in GATES
    ),
    *(
        recurrent(f"{kind}_input_weights".lower(), kind, constant=False, states=True, bias=False)
        for kind in GATES
    ),
    *(recurrent(f"{kind}_one_row".lower(), kind, batch=1, hidden=32, steps=7) for kind in GATES),
    *(recurrent(f"{kind}_clip".lower(), kind, clip=0.25) for kind in GATES),
    *(
        recurrent(f"{kind}_batch_first".lower(), kind, layout=1, states=True, oracle="reference")
        for kind in GATES
    ),
    recurrent("lstm_peepholes", "LSTM", peepholes=True, states=True),
    recurrent("lstm_input_forget", "LSTM", input_forget=1),
    recurrent("gru_linear_before_reset", "GRU", linear_before_reset=1, direction="bidirectional"),
    recurrent("gru_linear_no_bias", "GRU", linear_before_reset=1, bias=False, batch=1),
    recurrent("rnn_one_step", "RNN", steps=1),
    *(
        recurrent(f"rnn_{name}".lower(), "RNN", activations=[name], **parameters)
        for name, parameters in {
            "Affine": {"activation_alpha": [0.5], "activation_beta": [0.25]},
            "Elu": {},
            "HardSigmoid": {"activation_alpha": [0.3]},
            "LeakyRelu": {},
            "Relu": {},
            "ScaledTanh": {"activation_alpha": [0.5], "activation_beta": [2.0]},
            "Softplus": {},
            "Softsign": {},
            "ThresholdedRelu": {"activation_alpha": [0.5]},
        }.items()
    ),
    recurrent(
        "lstm_activations",
        "LSTM",
        direction="bidirectional",
        activations=["HardSigmoid", "LeakyRelu", "Softsign", "Sigmoid", "Elu", "Tanh"],
        activation_alpha=[0.3, 0.02, 0.7],
        activation_beta=[0.4],
    ),
    recurrent("lstm_7", "LSTM", opset=7),
]
