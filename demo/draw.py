"""Draw every picture of both demo archives into their folders `images/`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sketch import everyday, missions, moons, planets
from sketch.canvas import Canvas

HERE = Path(__file__).parent
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
EVERYDAY: list[Callable[[], Canvas]] = [
    everyday.tram_map,
    everyday.bee_castes,
    everyday.gear_ratios,
    everyday.ridge_profile,
]


def main() -> None:
    """Draw and store each picture under the name of its function."""
    for folder, pictures in ((HERE / "images", PICTURES), (HERE / "everyday" / "images", EVERYDAY)):
        folder.mkdir(exist_ok=True)
        for picture in pictures:
            picture().save(folder / f"{picture.__name__}.png")


if __name__ == "__main__":
    main()
