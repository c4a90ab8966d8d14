"""Draw every picture of the demo corpus into `images/`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sketch import missions, moons, planets
from sketch.canvas import Canvas

FOLDER = Path(__file__).parent / "images"
PICTURES: list[Callable[[], Canvas]] = [
    planets.planet_sizes,
    planets.moon_counts,
    planets.mercury_core,
    planets.venus_atmosphere,
    planets.jupiter_interior,
    planets.saturn_rings,
    planets.axial_tilts,
    moons.galilean_orbits,
    moons.laplace_resonance,
    moons.europa_section,
    moons.enceladus_plumes,
    moons.mimas_herschel,
    moons.iapetus_ridge,
    moons.triton_orbit,
    moons.pluto_charon,
    missions.voyager_paths,
    missions.grand_finale,
    missions.venera_survival,
    missions.curiosity_parts,
    missions.apollo_sites,
    missions.mars_landing_sites,
]


def main() -> None:
    """Draw and store each picture under the name of its function."""
    FOLDER.mkdir(exist_ok=True)
    for picture in PICTURES:
        picture().save(FOLDER / f"{picture.__name__}.png")


if __name__ == "__main__":
    main()
