"""How colours look to who sees none of red, green or blue, and how far apart two colours are.

The matrices are those of G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A physiologically-based model for
simulation of color vision deficiency", IEEE TVCG 15 (2009), at full severity, on linear RGB. Distances are CIE 1976
(Euclidean in L*a*b*, D65): 2.3 is a difference that is just noticed.
"""

import math

from sapper.render.picture_palette import rgb_of

Vector = tuple[float, float, float]

VISIONS: dict[str, tuple[Vector, Vector, Vector]] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def seen(colour: str, vision: str) -> Vector:
    """The linear RGB of a colour as it is seen."""
    linear = [_linear(part / 255) for part in rgb_of(colour)]
    one, two, three = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear, strict=True)))) for row in VISIONS[vision]
    )
    return one, two, three


def distance(one: str, other: str, vision: str = "usual") -> float:
    """How far apart two colours are as they are seen."""
    return math.dist(_lab(seen(one, vision)), _lab(seen(other, vision)))


def lightness(colour: str, vision: str = "usual") -> float:
    """L* of a colour as it is seen, from 0 to 100."""
    return _lab(seen(colour, vision))[0]


def _linear(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def _lab(rgb: Vector) -> Vector:
    red, green, blue = rgb
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883

    def f(t: float) -> float:
        return t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116

    return 116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))
